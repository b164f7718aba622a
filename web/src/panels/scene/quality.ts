/** How much the graphics card is asked to do. */

export type QualityChoice = 'auto' | 'high' | 'low';

export interface Quality {
  /** Physically based shading with reflections; else plain diffuse shading. */
  readonly physical: boolean;
  readonly shadowMapSize: number;
  readonly longestPixelRatio: number;
  readonly antialias: boolean;
}

const HIGH: Quality = { physical: true, shadowMapSize: 2048, longestPixelRatio: 2, antialias: true };
const LOW: Quality = { physical: false, shadowMapSize: 1024, longestPixelRatio: 1, antialias: true };

/** Reads a remembered choice. */
export function qualityChoice(text: string | undefined): QualityChoice {
  return text === 'high' || text === 'low' ? text : 'auto';
}

/** Settles a choice; `auto` depends on the name of the renderer, as WebGL gives it. */
export function settleQuality(choice: QualityChoice, rendererName: string): Quality {
  const low = choice === 'low' || (choice === 'auto' && isSoftware(rendererName));
  return low ? LOW : HIGH;
}

/** Says whether the processor does the drawing. */
export function isSoftware(rendererName: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(rendererName);
}
