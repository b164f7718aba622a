/** What is around the world: sky, haze and the grid on the ground. */
import {
  BackSide, Color, Fog, Group, Mesh, PlaneGeometry, ShaderMaterial, SphereGeometry, Vector3, type Scene,
} from 'three';

export type Theme = 'dark' | 'light';

/** Farther than anything is drawn, in metres. */
const NO_HAZE = 1e6;

interface Palette {
  readonly zenith: string;
  readonly horizon: string;
  readonly below: string;
  readonly line: string;
  readonly lineStrength: number;
}

const PALETTES: Readonly<Record<Theme, Palette>> = {
  dark: { zenith: '#141a26', horizon: '#2c3648', below: '#1a202c', line: '#c9d6ee', lineStrength: 0.4 },
  light: { zenith: '#b9cde6', horizon: '#eaf0f6', below: '#dfe5ec', line: '#32445f', lineStrength: 0.26 },
};

const SKY_VERTEX = /* glsl */ `
varying vec3 direction;
void main() {
  direction = position;
  vec4 clip = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position = clip.xyww;
}`;

const SKY_FRAGMENT = /* glsl */ `
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 below;
varying vec3 direction;
void main() {
  float height = normalize(direction).z;
  // A band at the horizon has the colour of the haze, so that ground fades into it without an edge.
  vec3 up = mix(horizon, zenith, smoothstep(0.0, 0.7, height));
  vec3 down = mix(horizon, below, smoothstep(0.25, 0.8, -height));
  // Haze is mixed in after the tone curve, so the sky does without it too: their colours must be one.
  gl_FragColor = vec4(height > 0.0 ? up : down, 1.0);
  #include <colorspace_fragment>
}`;

const GRID_VERTEX = /* glsl */ `
uniform vec3 centre;
uniform float reach;
varying vec2 ground;
void main() {
  ground = centre.xy + position.xy * reach;
  gl_Position = projectionMatrix * viewMatrix * vec4(ground, 0.0, 1.0);
}`;

const GRID_FRAGMENT = /* glsl */ `
uniform vec3 centre;
uniform vec3 line;
uniform float strength;
uniform float reach;
uniform float cell;
varying vec2 ground;

float lines(vec2 at, float width) {
  vec2 step = fwidth(at);
  vec2 distance = abs(fract(at - 0.5) - 0.5) / max(step, vec2(1e-6));
  vec2 drawn = clamp(width - distance, 0.0, 1.0);
  // Lines closer than a few pixels melt into an even tone instead of flickering.
  drawn *= 1.0 - smoothstep(0.15, 0.5, step);
  return max(drawn.x, drawn.y);
}

void main() {
  float fade = 1.0 - smoothstep(0.2, 0.95, length(ground - centre.xy) / reach);
  float fine = lines(ground / cell, 1.0) * 0.4;
  float coarse = lines(ground / (cell * 10.0), 1.3);
  vec2 step = fwidth(ground);
  vec2 axis = 1.0 - clamp(abs(ground) / max(step, vec2(1e-6)) - 0.3, 0.0, 1.0);
  vec3 color = line;
  float alpha = max(fine, coarse) * strength;
  color = mix(color, vec3(0.36, 0.68, 0.30), axis.x);
  color = mix(color, vec3(0.86, 0.28, 0.28), axis.y);
  alpha = max(alpha, max(axis.x, axis.y) * 0.6);
  gl_FragColor = vec4(color, alpha * fade);
  #include <colorspace_fragment>
}`;

export class Stage {
  readonly group = new Group();
  private readonly fog = new Fog(0x000000, 10, 100);
  private readonly sky: Mesh<SphereGeometry, ShaderMaterial>;
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;

  private readonly plain = new Color();
  private depth: 'far' | 'flat' = 'far';

  constructor(private readonly scene: Scene) {
    scene.fog = this.fog;
    this.sky = new Mesh(new SphereGeometry(1, 32, 24), skyMaterial());
    this.grid = new Mesh(new PlaneGeometry(2, 2), gridMaterial());
    // Both are placed by their shaders, so their own bounds say nothing.
    this.sky.frustumCulled = false;
    this.grid.frustumCulled = false;
    this.sky.renderOrder = -2;
    this.grid.renderOrder = 2;
    this.group.add(this.sky, this.grid);
  }

  useTheme(theme: Theme): void {
    const palette = PALETTES[theme];
    const sky = this.sky.material.uniforms;
    sky['zenith'] = { value: new Color(palette.zenith) };
    sky['horizon'] = { value: new Color(palette.horizon) };
    sky['below'] = { value: new Color(palette.below) };
    this.fog.color = new Color(palette.horizon);
    this.plain.set(palette.horizon);
    const grid = this.grid.material.uniforms;
    grid['line'] = { value: new Color(palette.line) };
    grid['strength'] = { value: palette.lineStrength };
  }

  /** A flat view has no horizon: no sky, and no haze. */
  useDepth(depth: 'far' | 'flat'): void {
    this.depth = depth;
    this.sky.visible = depth === 'far';
    this.scene.background = depth === 'far' ? null : this.plain;
  }

  showGrid(shown: boolean): void {
    this.grid.visible = shown;
  }

  /** Fits haze and grid to where the camera looks and from how far. */
  fit(target: Vector3, distance: number): void {
    const reach = Math.max(24, distance * 5);
    // Haze begins behind what one looks at, and hides where the ground of a world ends.
    this.fog.near = this.depth === 'far' ? Math.max(7, distance * 1.15) : NO_HAZE;
    this.fog.far = this.depth === 'far' ? Math.max(20, distance * 2.3) : 2 * NO_HAZE;
    const uniforms = this.grid.material.uniforms;
    uniforms['centre'] = { value: target };
    uniforms['reach'] = { value: reach };
    uniforms['cell'] = { value: gridCell(distance) };
  }

  dispose(): void {
    for (const mesh of [this.sky, this.grid]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

/** Returns the size of a cell in metres for a camera that is `distance` metres away. */
export function gridCell(distance: number): number {
  return 10 ** Math.round(Math.log10(Math.max(distance, 0.01) / 5));
}

function skyMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: SKY_VERTEX,
    fragmentShader: SKY_FRAGMENT,
    side: BackSide,
    depthWrite: false,
    uniforms: {},
  });
}

function gridMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: GRID_VERTEX,
    fragmentShader: GRID_FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: { centre: { value: new Vector3() }, reach: { value: 10 }, cell: { value: 1 } },
  });
}
