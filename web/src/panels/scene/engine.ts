/**
 * The 3D view without its frame: listens to the mirror, draws when something changed, and only
 * then. Svelte has no part in this.
 */
import {
  Box3, CustomToneMapping, PCFShadowMap, PMREMGenerator, Quaternion, Scene, Vector3,
  WebGLRenderer, type Texture,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

import { Emitter } from '../../lib/emitter';
import type { Vec3 } from '../../lib/pose';
import type { EntityId, Kind } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World, WorldChange } from '../../world/world';
import { Actors } from './actors';
import { AuthorOutlines, type ColoredEntities } from './authorOutlines';
import { Batches, type Slot, type Visual } from './batches';
import { Lights, lightsOf } from './lights';
import { MaterialLibrary } from './materials';
import { MeshLoader, type MeshProgress } from './meshes';
import { drawSpecOf, freePlace, groundPointOf, type Bounds } from './model';
import { Outline } from './outline';
import { isSoftware, settleQuality, type Quality, type QualityChoice } from './quality';
import { ShapeLibrary } from './shapes';
import { Stage, type Theme } from './stage';
import { TextureLibrary } from './textures';
import { installToneCurve } from './tone';
import { Viewpoint, type View } from './viewpoint';

/** A change of one of these makes batches or lights another. */
const DRAWN = new Set(['geometry', 'material', 'visual', 'light', 'scene', 'kind', 'parent']);

/** Kinds whose pose says where something is drawn, unless the pose frames say it. */
const PLACED = new Set<Kind>(['model', 'link', 'visual', 'light']);

export interface EngineOptions {
  readonly canvas: HTMLCanvasElement;
  readonly world: World;
  readonly poses: PoseStore;
  readonly quality: QualityChoice;
  readonly view?: View | undefined;
}

/** What a pointer points at. */
export interface Hit {
  readonly visual: EntityId;
  /** In the world. */
  readonly point: Vec3;
}

export class SceneEngine {
  /** The camera turned; the value is its view matrix, column-major 4×4. */
  readonly turned = new Emitter<readonly number[]>();
  /** Whether the grid is drawn now. */
  readonly gridShown = new Emitter<boolean>();
  /** How many meshes are still on their way. */
  readonly meshProgress = new Emitter<MeshProgress>();
  /** Something cannot be drawn as it should. */
  readonly warned = new Emitter<string>();
  /** A frame was drawn: what lies over the view may have to go elsewhere. */
  readonly drawn = new Emitter<undefined>();
  readonly software: boolean;

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly viewpoint: Viewpoint;
  private readonly stage: Stage;
  private readonly lights: Lights;
  private readonly shapes: ShapeLibrary;
  private readonly materials: MaterialLibrary;
  private readonly batches: Batches;
  private readonly actors: Actors;
  private readonly outline = new Outline({ color: '#4d8dff', widthPx: 2.5, bit: 0 });
  private readonly authors = new AuthorOutlines();
  private readonly reflections: Texture | undefined;
  private readonly quality: Quality;
  private readonly world: World;
  private readonly unsubscribe: (() => void)[] = [];
  private selected: EntityId | undefined;
  private frame = 0;
  private stale = true;
  /** Name of the world that the camera was last set up for. */
  private framed: string | undefined;
  /** Where the camera was put then; it goes along with meshes that come later unless it was moved. */
  private firstView: View | undefined;
  /** What the person chose; without a choice, the world's own setting counts. */
  private gridChoice: boolean | undefined;
  private readonly shadowCentre = new Vector3(Number.NaN, 0, 0);
  private shadowRadius = 0;
  private readonly lastRotation = new Quaternion(0, 0, 0, 0);

  /** @throws Error when the browser has no WebGL 2. */
  constructor({ canvas, world, poses, quality, view }: EngineOptions) {
    this.world = world;
    const rendererName = nameOfRenderer();
    this.software = isSoftware(rendererName);
    this.quality = settleQuality(quality, rendererName);
    this.renderer = makeRenderer(canvas, this.quality);
    this.reflections = this.quality.physical ? makeReflections(this.renderer) : undefined;
    this.stage = new Stage(this.scene);
    this.lights = new Lights(poses, this.quality);
    this.shapes = new ShapeLibrary(this.meshLoader());
    this.materials = new MaterialLibrary(this.reflections, this.textureLibrary());
    this.batches = new Batches(this.shapes, this.materials);
    this.actors = new Actors(world, poses, this.batches);
    this.viewpoint = new Viewpoint(canvas, () => {
      this.invalidate();
    });
    if (view !== undefined) {
      this.viewpoint.view = view;
      this.framed = this.worldName();
    }
    this.scene.add(this.stage.group, this.lights.group, this.batches.group, this.authors.group, this.outline.group);
    this.listen(poses);
    // The browser may take the context away for a while; all buffers come back by themselves.
    const restored = (): void => {
      this.markStale();
    };
    canvas.addEventListener('webglcontextrestored', restored);
    this.unsubscribe.push(() => {
      canvas.removeEventListener('webglcontextrestored', restored);
    });
    this.invalidate();
  }

  get view(): View {
    return this.viewpoint.view;
  }

  /** Asks for a frame; many calls before it make one. */
  invalidate(): void {
    if (this.frame === 0) {
      this.frame = requestAnimationFrame((nowMs) => {
        this.draw(nowMs);
      });
    }
  }

  useTheme(theme: Theme): void {
    this.stage.useTheme(theme);
    this.invalidate();
  }

  /** Shows or hides the grid; undefined leaves it to the world. */
  showGrid(choice: boolean | undefined): void {
    this.gridChoice = choice;
    this.applyGrid(lightsOf(this.world).scene.grid);
    this.invalidate();
  }

  select(id: EntityId | undefined): void {
    this.selected = id;
    this.showOutline();
    this.invalidate();
  }

  /** Outlines what others change as soon as the world goes on. */
  markOthers(colored: ColoredEntities): void {
    this.authors.use(colored);
    this.showOutline();
    this.invalidate();
  }

  /** Returns how wide an entity is along x; 0 when nothing of it is seen. */
  widthOf(id: EntityId): number {
    const xs = this.pointsOf(this.slotsBelow(id)).map(({ x }) => x);
    return xs.length === 0 ? 0 : Math.max(...xs) - Math.min(...xs);
  }

  /** Returns the middle of the top of an entity; undefined when nothing of it is seen. */
  topOf(id: EntityId): Vec3 | undefined {
    const { min, max } = new Box3().setFromPoints([...this.pointsOf(this.slotsBelow(id))]);
    return max.z < min.z ? undefined : [(min.x + max.x) / 2, (min.y + max.y) / 2, max.z];
  }

  /** Returns a free place for something of a width, near the middle of the view. */
  freePlace(widthMetres: number): Vec3 {
    return freePlace(this.groundPoint(), widthMetres, this.things());
  }

  private things(): readonly Bounds[] {
    const slots = [...this.world.entities()].flatMap((entity) => this.batches.slots(entity.id));
    return slots.filter(({ spec }) => spec.countsForBounds).map((slot) => {
      const box = new Box3().setFromPoints([...this.batches.corners(slot)]);
      return { min: box.min.toArray(), max: box.max.toArray() };
    });
  }

  /** Where the middle of the view meets the ground; what it turns about when it does not. */
  private groundPoint(): readonly [number, number] {
    const { ray } = this.viewpoint.rayAt(0, 0);
    const { target, distance } = this.viewpoint;
    return groundPointOf(ray.origin.toArray(), ray.direction.toArray(), target.toArray(), 4 * distance);
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) {
      return;
    }
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.longestPixelRatio));
    this.renderer.setSize(width, height, false);
    this.viewpoint.resize(width / height);
    this.outline.resize(width, height);
    this.authors.resize(width, height);
    // Drawn at once: the canvas is empty after its size changed.
    this.draw(performance.now());
  }

  /** Flies to an entity; without one, to the whole world. */
  focus(id: EntityId | undefined): void {
    const points = id === undefined ? this.worldPoints() : this.pointsOf(this.slotsBelow(id));
    if (points.length === 0) {
      return;
    }
    if (id === undefined) {
      this.viewpoint.flyTo(this.viewpoint.framing(points), performance.now());
    } else {
      this.viewpoint.focus(points, performance.now());
    }
    this.invalidate();
  }

  /** Returns the visual under a point given in the range −1 to 1, y up, and where it is hit. */
  pick(x: number, y: number): Hit | undefined {
    this.batches.forgetBounds();
    for (const hit of this.viewpoint.rayAt(x, y).intersectObjects(this.batches.group.children, false)) {
      const visual = hit.instanceId === undefined ? undefined : this.batches.visualAt(hit.object, hit.instanceId);
      if (visual !== undefined) {
        return { visual, point: hit.point.toArray() };
      }
    }
    return undefined;
  }

  /** Where a point of the view is on the plane through `through` that faces the camera. */
  pointFacing(x: number, y: number, through: Vec3): Vec3 | undefined {
    return this.viewpoint.pointFacing(x, y, through);
  }

  /** Where a point of the world is seen, in pixels from the top left; undefined when it is not. */
  screenOf(point: Vec3): readonly [number, number] | undefined {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    const seen = this.viewpoint.project(point);
    return seen === undefined ? undefined : [((seen[0] + 1) / 2) * clientWidth, ((1 - seen[1]) / 2) * clientHeight];
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    for (const off of this.unsubscribe) {
      off();
    }
    this.viewpoint.dispose();
    this.outline.dispose();
    this.authors.clear();
    this.batches.clear();
    this.lights.clear();
    this.shapes.dispose();
    this.materials.dispose();
    this.stage.dispose();
    this.reflections?.dispose();
    this.renderer.dispose();
  }

  private meshLoader(): MeshLoader {
    return new MeshLoader({
      settled: (progress) => {
        this.meshSettled(progress);
      },
      asked: (progress) => {
        this.meshProgress.emit(progress);
      },
      warned: (text) => {
        this.warned.emit(text);
      },
    });
  }

  private textureLibrary(): TextureLibrary {
    return new TextureLibrary(
      () => {
        this.invalidate();
      },
      (text) => {
        this.warned.emit(text);
      },
    );
  }

  private listen(poses: PoseStore): void {
    this.unsubscribe.push(
      this.world.changed.on((change) => {
        if (changesDrawing(change, this.world, poses)) {
          this.markStale();
        }
      }),
      poses.setChanged.on(() => {
        this.markStale();
      }),
      poses.moved.on(() => {
        this.invalidate();
      }),
    );
  }

  private markStale(): void {
    this.stale = true;
    this.invalidate();
  }

  private draw(nowMs: number): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.renderer.domElement.clientWidth === 0) {
      return; // It is out of sight, and is resized when it comes back.
    }
    if (this.stale) {
      this.rebuild();
    }
    const moved = this.actors.follow();
    this.outline.follow();
    this.authors.follow();
    const flying = this.viewpoint.advance(nowMs);
    this.stage.fit(this.viewpoint.target, this.viewpoint.distance);
    if (this.coverShadows() || moved) {
      this.renderer.shadowMap.needsUpdate = true;
    }
    this.renderer.render(this.scene, this.viewpoint.camera);
    this.tellTurn();
    this.drawn.emit(undefined);
    if (flying) {
      this.invalidate();
    }
  }

  private tellTurn(): void {
    const { camera } = this.viewpoint;
    if (!this.lastRotation.equals(camera.quaternion)) {
      this.lastRotation.copy(camera.quaternion);
      this.turned.emit(camera.matrixWorldInverse.elements);
    }
  }

  private rebuild(): void {
    this.stale = false;
    const visuals: Visual[] = [];
    for (const entity of this.world.entities()) {
      const spec = entity.kind === 'visual' ? drawSpecOf(entity) : undefined;
      if (spec !== undefined) {
        visuals.push({ id: entity.id, spec });
      }
    }
    this.batches.rebuild(visuals);
    this.actors.rebuild(visuals.map(({ id }) => id));
    const { lights, scene } = lightsOf(this.world);
    this.lights.rebuild(lights, scene);
    this.applyGrid(scene.grid);
    this.shadowRadius = 0;
    this.renderer.shadowMap.needsUpdate = true;
    this.showOutline();
    this.frameWorldOnce();
  }

  /** The first look shows the world; after that the camera belongs to the person. */
  private frameWorldOnce(): void {
    const name = this.worldName();
    const points = this.framed === name ? [] : this.worldPoints();
    if (points.length > 0) {
      this.viewpoint.view = this.viewpoint.framing(points);
      this.framed = name;
      this.firstView = this.viewpoint.view;
    }
  }

  /** The first look is taken again when all meshes are here, unless the person looks elsewhere. */
  private meshSettled(progress: MeshProgress): void {
    this.meshProgress.emit(progress);
    const { position, target } = this.viewpoint.view;
    const first = this.firstView;
    const untouched = first !== undefined && first.position.equals(position) && first.target.equals(target);
    if (progress.done === progress.asked && untouched) {
      this.framed = undefined;
    }
    this.markStale();
  }

  private applyGrid(ofWorld: boolean): void {
    const shown = this.gridChoice ?? ofWorld;
    this.stage.showGrid(shown);
    this.gridShown.emit(shown);
  }

  private worldName(): string | undefined {
    return this.world.children(undefined).find((entity) => entity.kind === 'world')?.name;
  }

  private showOutline(): void {
    this.outline.show(this.selected === undefined ? [] : this.slotsBelow(this.selected));
    this.outline.follow();
    this.authors.refresh((id) => this.slotsBelow(id));
  }

  private slotsBelow(id: EntityId): readonly Slot[] {
    if (this.world.entity(id)?.kind === 'world') {
      return [];
    }
    return this.world.subtree(id).flatMap((entity) => this.batches.slots(entity.id));
  }

  private worldPoints(): readonly Vector3[] {
    const slots = [...this.world.entities()].flatMap((entity) => this.batches.slots(entity.id));
    const things = slots.filter(({ spec }) => spec.countsForBounds);
    return this.pointsOf(things.length > 0 ? things : slots);
  }

  private pointsOf(slots: readonly Slot[]): readonly Vector3[] {
    return slots.flatMap((slot) => this.batches.corners(slot));
  }

  /** Moves the shadows along when the camera went elsewhere; says whether it did. */
  private coverShadows(): boolean {
    const radius = Math.min(60, Math.max(1, this.viewpoint.distance * 0.9));
    const near = this.shadowCentre.distanceTo(this.viewpoint.target) < 0.25 * this.shadowRadius;
    const alike = radius < this.shadowRadius * 1.3 && radius > this.shadowRadius * 0.6;
    if (near && alike) {
      return false;
    }
    this.shadowCentre.copy(this.viewpoint.target);
    this.shadowRadius = radius;
    this.lights.coverShadows(this.shadowCentre, radius);
    return true;
  }
}

function changesDrawing(change: WorldChange, world: World, poses: PoseStore): boolean {
  if (change.structure) {
    return true;
  }
  for (const [id, names] of change.touched) {
    const stands = poses.indexOf(id) === undefined && PLACED.has(world.entity(id)?.kind ?? 'unknown');
    for (const name of names) {
      if (DRAWN.has(name) || (name === 'pose' && stands)) {
        return true;
      }
    }
  }
  return false;
}

function makeRenderer(canvas: HTMLCanvasElement, quality: Quality): WebGLRenderer {
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

function makeReflections(renderer: WebGLRenderer): Texture {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  room.rotation.x = Math.PI / 2;
  const { texture } = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return texture;
}

/** Asks a throw-away context for the renderer's name, before the real one is made. */
function nameOfRenderer(): string {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info ? context?.getParameter(info.UNMASKED_RENDERER_WEBGL) : undefined;
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof name === 'string' ? name : '';
}
