/** Sets three.js up for the 3D view. */
import { CustomToneMapping, PCFShadowMap, PMREMGenerator, WebGLRenderer, type Texture } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

import type { Quality } from './quality';
import { installToneCurve } from './tone';

/** Makes what draws; whoever asks disposes of it. */
export function makeRenderer(canvas: HTMLCanvasElement, quality: Quality): WebGLRenderer {
  installToneCurve();
  const renderer = new WebGLRenderer({ canvas, antialias: quality.antialias, stencil: true });
  renderer.toneMapping = CustomToneMapping;
  renderer.toneMappingExposure = quality.physical ? 1 : 1.2;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  // Only bodies that move change shadows, not the camera.
  renderer.shadowMap.autoUpdate = false;
  return renderer;
}

/** Makes what physical materials reflect; whoever asks disposes of it. */
export function makeReflections(renderer: WebGLRenderer): Texture {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  room.rotation.x = Math.PI / 2;
  const { texture } = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return texture;
}

/** Asks a throw-away context for the renderer's name, before the real one is made. */
export function nameOfRenderer(): string {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info ? context?.getParameter(info.UNMASKED_RENDERER_WEBGL) : undefined;
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof name === 'string' ? name : '';
}
