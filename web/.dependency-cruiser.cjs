/** The folder rules of the page: who may import whom. Run by `npm run imports`. */
const inner = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: from },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      // Packages name some of their entries in ways that only bundlers follow.
      to: { couldNotResolve: true, pathNot: '^(svelte|three|@bufbuild)/' },
    },
    {
      name: 'panels-apart',
      comment: 'Panels meet in app/ alone.',
      severity: 'error',
      from: { path: '^src/panels/([^/]+)/' },
      to: { path: '^src/panels/', pathNot: '^src/panels/$1/' },
    },
    inner('nobody-imports-app', '^src/(?!app/)', '^src/app/', 'app/ wires everything and is the top.'),
    inner('panels-below-app', '^src/panels/', '^src/(client|protocol)/', 'Panels see world/ and commands/.'),
    inner('lib-is-pure', '^src/lib/', '^src/', 'lib/ knows nothing of Retake.'),
    inner('ui-is-plain', '^src/ui/', '^src/(?!lib/|ui/)', 'Widgets know no world.'),
    inner('protocol-is-low', '^src/protocol/', '^src/(?!lib/|protocol/)', 'Messages know no mirror.'),
    inner('client-is-low', '^src/client/', '^src/(?!lib/|protocol/|client/)', 'The socket knows no mirror.'),
    inner('world-is-low', '^src/world/', '^src/(?!lib/|protocol/|world/)', 'The mirror knows no socket.'),
    inner('commands-are-low', '^src/commands/', '^src/(?!lib/|protocol/|world/|commands/)', 'Commands only send.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.svelte.ts', '.svelte', '.js'] },
  },
};
