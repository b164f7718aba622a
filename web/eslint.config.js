import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/protocol/generated', 'e2e/.out', '*.cjs'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.node.json'],
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      'max-depth': ['error', 4],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // A component's script is a module, not a function.
      'max-lines-per-function': 'off',
      // The rule does not know that the markup assigns to state.
      'prefer-const': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `void state` is how an effect says what it depends on.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // Imported components are `any` to this parser; svelte-check knows their types.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['*.config.ts', 'svelte.config.js', 'eslint.config.js', 'e2e/**'],
    languageOptions: { globals: { ...globals.node } },
    rules: { 'no-restricted-exports': 'off' },
  },
  { files: ['*.js'], ...ts.configs.disableTypeChecked },
);
