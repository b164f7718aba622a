/** The same boxes with three.js alone: one draw call, one light with shadows, every box moved in every frame. Runs in the browser. */
import {
  BoxGeometry, Color, DirectionalLight, HemisphereLight, InstancedMesh, Matrix4, Mesh, MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Scene, WebGLRenderer,
} from 'three';

export interface BareOptions {
  readonly count: number;
  readonly spacing: number;
  readonly edge: number;
  readonly width: number;
  readonly height: number;
}

/** Fills the window with the scene and draws for ever. */
export function startBare({ count, spacing, edge, width, height }: BareOptions): void {
  const canvas = document.createElement('canvas');
  document.body.style.margin = '0';
  document.body.append(canvas);
  const renderer = new WebGLRenderer({ canvas, antialias: true, stencil: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  const side = Math.ceil(Math.sqrt(count));
  const scene = sceneOf(side * spacing);
  const boxes = new InstancedMesh(new BoxGeometry(edge, edge, edge), new MeshLambertMaterial(), count);
  boxes.castShadow = true;
  boxes.receiveShadow = true;
  boxes.frustumCulled = false;
  const colors = ['#d9593f', '#4d8cd9', '#66b366', '#d9b34d'].map((color) => new Color(color));
  for (let n = 0; n < count; n += 1) {
    boxes.setColorAt(n, colors[n % colors.length] ?? new Color('white'));
  }
  scene.add(boxes);
  const camera = new PerspectiveCamera(45, width / height, 0.1, 200);
  camera.up.set(0, 0, 1);
  camera.position.set(side * spacing, -side * spacing, 0.8 * side * spacing);
  camera.lookAt(0, 0, 1);
  const matrix = new Matrix4();
  const draw = (nowMs: number): void => {
    for (let n = 0; n < count; n += 1) {
      const [x, y] = [(n % side) - side / 2, Math.floor(n / side) - side / 2];
      boxes.setMatrixAt(n, matrix.makeRotationZ((n % 10) / 10).setPosition(x * spacing, y * spacing, 2 - nowMs * 1e-6));
    }
    boxes.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

function sceneOf(width: number): Scene {
  const scene = new Scene();
  const ground = new Mesh(new PlaneGeometry(60, 60), new MeshLambertMaterial());
  ground.receiveShadow = true;
  const sun = new DirectionalLight('white', 2);
  sun.position.set(5, -3.5, 9);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  for (const edge of ['left', 'bottom'] as const) {
    sun.shadow.camera[edge] = -width;
  }
  for (const edge of ['right', 'top'] as const) {
    sun.shadow.camera[edge] = width;
  }
  scene.add(ground, sun, new HemisphereLight('white', 'grey', 1));
  return scene;
}
