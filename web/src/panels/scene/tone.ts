/**
 * How bright light becomes colour: as it is up to a knee, then softly towards white.
 *
 * The curves that three.js brings all bend dark tones too, which makes a calm dark sky garish and
 * the colours of a world file others than those in the file.
 */
import { ShaderChunk } from 'three';

const PLAIN = 'vec3 CustomToneMapping( vec3 color ) { return color; }';

const CURVE = /* glsl */ `
vec3 CustomToneMapping( vec3 color ) {
  const float knee = 0.82;
  color *= toneMappingExposure;
  float peak = max( color.r, max( color.g, color.b ) );
  if ( peak < knee ) return color;
  float room = 1.0 - knee;
  float pressed = 1.0 - room * room / ( peak + room - knee );
  float paleness = 1.0 - 1.0 / ( 0.12 * ( peak - pressed ) + 1.0 );
  return mix( color * ( pressed / peak ), vec3( pressed ), paleness );
}`;

/** Puts the curve where three.js looks for it; again does nothing. */
export function installToneCurve(): void {
  ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(PLAIN, CURVE);
}
