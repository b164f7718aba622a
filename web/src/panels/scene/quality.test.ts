import { expect, it } from 'vitest';

import { isSoftware, qualityChoice, settleQuality } from './quality';

it('is low on its own where the processor draws', () => {
  const software = 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)';
  expect(isSoftware(software)).toBe(true);
  expect(settleQuality('auto', software).physical).toBe(false);
  expect(settleQuality('auto', 'ANGLE (NVIDIA GeForce RTX 3060)').physical).toBe(true);
});

it('is what was chosen, everywhere', () => {
  expect(settleQuality('high', 'llvmpipe').physical).toBe(true);
  expect(settleQuality('low', 'ANGLE (NVIDIA GeForce RTX 3060)').physical).toBe(false);
  expect(qualityChoice('ultra')).toBe('auto');
});
