/**
 * The 3D view without its frame: listens to the mirror, draws when something changed, and only
 * then. Svelte has no part in this.
 */
import { Quaternion, Scene, type Object3D, type Texture, type WebGLRenderer } from 'three';

import { Emitter } from '../../lib/emitter';
import { compose, within, type Pose, type Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import { isHidden } from '../../world/hidden';
import type { PoseStore } from '../../world/poses';
import type { GhostPose } from '../../world/teaching';
import type { World } from '../../world/world';
import { Actors } from './actors';
import { AuthorOutlines, type ColoredEntities } from './authorOutlines';
import { Batches, type Visual } from './batches';
import { changesDrawing } from './changes';
import { Extents } from './extents';
import { Ghost } from './ghost';
import { Lights, lightsOf } from './lights';
import { MaterialLibrary } from './materials';
import { MeshLoader, type MeshProgress, type ShapePart } from './meshes';
import { drawSpecOf, freePlace, groundPointOf, type DrawSpec } from './model';
import { Outline } from './outline';
import { pngOf } from './picture';
import { Preview, type Shown } from './preview';
import { isSoftware, settleQuality, type Quality, type QualityChoice } from './quality';
import { makeReflections, makeRenderer, nameOfRenderer } from './renderer';
import { ShadowCover } from './shadowCover';
import { ShapeLibrary } from './shapes';
import { Sight } from './sight';
import { Stage, type Theme } from './stage';
import { TextureLibrary } from './textures';
import { Viewpoint, type Projection, type Side, type View } from './viewpoint';

export interface EngineOptions {
  readonly canvas: HTMLCanvasElement;
  readonly world: World;
  readonly poses: PoseStore;
  readonly quality: QualityChoice;
  readonly view?: View | undefined;
}

/** Something that is drawn besides the world; whoever made it disposes of it. */
export interface Layer {
  readonly object: Object3D;
  /** Comes before each frame. */
  follow(): void;
  /** Comes when entities, shapes or meshes are others. */
  refresh(): void;
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
  /** How far things reach as they are drawn now. */
  readonly extents: Extents;
  /** What is seen where. */
  readonly sight: Sight;

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
  private readonly ghost: Ghost;
  private readonly layers = new Set<Layer>();
  private readonly preview: Preview;
  private readonly reflections: Texture | undefined;
  private readonly quality: Quality;
  private readonly world: World;
  private readonly poses: PoseStore;
  private readonly unsubscribe: (() => void)[] = [];
  private selected: readonly EntityId[] = [];
  private hidden: ReadonlySet<EntityId> = new Set();
  private frame = 0;
  private stale = true;
  /** Something was put elsewhere since the last frame. */
  private shifted = false;
  /** Name of the world that the camera was last set up for. */
  private framed: string | undefined;
  /** Where the camera was put then; it goes along with meshes that come later unless it was moved. */
  private firstView: View | undefined;
  /** What the person chose; without a choice, the world's own setting counts. */
  private gridChoice: boolean | undefined;
  private readonly shadows: ShadowCover;
  private readonly lastRotation = new Quaternion(0, 0, 0, 0);

  /** @throws Error when the browser has no WebGL 2. */
  constructor({ canvas, world, poses, quality, view }: EngineOptions) {
    this.world = world;
    this.poses = poses;
    const rendererName = nameOfRenderer();
    this.software = isSoftware(rendererName);
    this.quality = settleQuality(quality, rendererName);
    this.renderer = makeRenderer(canvas, this.quality);
    this.reflections = this.quality.physical ? makeReflections(this.renderer) : undefined;
    this.stage = new Stage(this.scene);
    this.lights = new Lights(poses, this.quality);
    this.shadows = new ShadowCover(this.lights);
    this.shapes = new ShapeLibrary(this.meshLoader());
    this.materials = new MaterialLibrary(this.reflections, this.textureLibrary());
    this.batches = new Batches(this.shapes, this.materials);
    this.actors = new Actors(world, poses, this.batches);
    this.ghost = new Ghost(world, poses, (id) => this.batches.slots(id));
    this.extents = new Extents(world, this.batches);
    this.preview = new Preview((id) => this.extents.slotsBelow(id), (id) => poses.worldPose(id));
    this.viewpoint = new Viewpoint(canvas, () => {
      this.invalidate();
    });
    this.sight = new Sight(canvas, this.viewpoint, this.batches, () => {
      this.settle();
    });
    if (view !== undefined) {
      this.viewpoint.view = view;
      this.framed = this.worldName();
    }
    this.scene.add(this.stage.group, this.lights.group, this.batches.group, this.ghost.group, this.authors.group, this.outline.group);
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

  /** Outlines what is selected. */
  select(ids: readonly EntityId[]): void {
    this.selected = ids;
    this.showOutline();
    this.invalidate();
  }

  /** Outlines what others change as soon as the world goes on. */
  markOthers(colored: ColoredEntities): void {
    this.authors.use(colored);
    this.showOutline();
    this.invalidate();
  }

  /** Draws these no more, nor what is part of them. */
  hide(ids: ReadonlySet<EntityId>): void {
    this.hidden = ids;
    this.markStale();
  }

  isHidden(id: EntityId): boolean {
    return isHidden(this.world, this.hidden, id);
  }

  /** Shows a robot at another pose as well; undefined shows none. */
  showGhost(ghost: GhostPose | undefined): void {
    this.ghost.show(ghost);
    this.invalidate();
  }

  /** Draws something besides the world until it is taken away. */
  add(layer: Layer): () => void {
    this.layers.add(layer);
    this.scene.add(layer.object);
    layer.refresh();
    this.invalidate();
    return () => {
      this.layers.delete(layer);
      this.scene.remove(layer.object);
      this.invalidate();
    };
  }

  /** Shows a thing where it is about to be. */
  showAt(id: EntityId, shown: Shown): void {
    // Both are to be of one instant: where the thing is, and where it is drawn.
    this.settle();
    this.preview.show(id, shown);
    this.invalidate();
  }

  /** Where a thing is shown that is about to go there. */
  shownAt(id: EntityId): Shown | undefined {
    return this.preview.of(id);
  }

  /** Where an entity is drawn: where it is, or where the thing that it is part of is about to be. */
  poseOf(id: EntityId): Pose {
    const pose = this.poses.worldPose(id);
    const root = this.preview.active ? this.world.lineage(id).find((entity) => this.preview.of(entity.id) !== undefined) : undefined;
    const shown = root && this.preview.of(root.id);
    return root === undefined || shown === undefined ? pose : compose(shown.pose, within(this.poses.worldPose(root.id), pose));
  }

  /** What is drawn of a shape; nothing while a mesh is on its way. */
  partsOf({ shapeKey, shape }: DrawSpec): readonly ShapePart[] {
    return this.shapes.parts(shapeKey, shape, 1);
  }

  /** Shows things where they are again. */
  showWhereTheyAre(ids: readonly EntityId[]): void {
    if (ids.length === 0) {
      return;
    }
    this.preview.clear(ids);
    this.actors.forget();
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** Returns a free place for something of a width, near the middle of the view or near a place. */
  freePlace(widthMetres: number, near?: readonly [number, number]): Vec3 {
    this.settle();
    return freePlace(near ?? this.groundPoint(), widthMetres, this.extents.things());
  }

  /** Where the middle of the view meets the ground; what it turns about when it does not. */
  private groundPoint(): readonly [number, number] {
    const { ray } = this.viewpoint.rayAt(0, 0);
    const { target, distance } = this.viewpoint;
    return groundPointOf(ray.origin.toArray(), ray.direction.toArray(), target.toArray(), 4 * distance);
  }

  /** Looks at the same place from a side. */
  lookFrom(side: Side): void {
    this.viewpoint.lookFrom(side, performance.now());
    this.invalidate();
  }

  useProjection(projection: Projection): void {
    this.viewpoint.projection = projection;
    this.stage.useDepth(projection === 'perspective' ? 'far' : 'flat');
    this.invalidate();
  }

  /** Draws a picture of the view as PNG, without what lies over it. */
  picture(): Promise<Blob> {
    // What was drawn is gone after the frame, so it is drawn and read in one go.
    this.draw(performance.now());
    return pngOf(this.renderer.domElement);
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

  /** Flies to entities; without any, to the whole world. */
  focus(ids: readonly EntityId[]): void {
    this.settle();
    const points = ids.length === 0 ? this.extents.worldPoints() : ids.flatMap((id) => this.extents.pointsOf(id));
    if (points.length === 0) {
      return;
    }
    if (ids.length === 0) {
      this.viewpoint.flyTo(this.viewpoint.framing(points), performance.now());
    } else {
      this.viewpoint.focus(points, performance.now());
    }
    this.invalidate();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    for (const off of this.unsubscribe) {
      off();
    }
    this.viewpoint.dispose();
    this.outline.dispose();
    this.authors.clear();
    this.ghost.dispose();
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
    this.settle();
    this.outline.follow();
    this.authors.follow();
    this.ghost.follow();
    this.layers.forEach((layer) => {
      layer.follow();
    });
    const flying = this.viewpoint.advance(nowMs);
    this.stage.fit(this.viewpoint.target, this.viewpoint.distance);
    if (this.shadows.follow(this.viewpoint.target, this.viewpoint.distance) || this.shifted) {
      this.renderer.shadowMap.needsUpdate = true;
      this.shifted = false;
    }
    this.renderer.render(this.scene, this.viewpoint.camera);
    this.tellTurn();
    this.drawn.emit(undefined);
    if (flying) {
      this.invalidate();
    }
  }

  /**
   * Puts everything where it is by now. What people point at and look for is what there is, not
   * what the last frame has shown: on a busy machine the next one is long in coming.
   */
  private settle(): void {
    if (this.stale) {
      this.rebuild();
    }
    const followed = this.actors.follow();
    this.shifted = this.preview.apply() || followed || this.shifted;
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
      const spec = entity.kind === 'visual' && !this.isHidden(entity.id) ? drawSpecOf(entity) : undefined;
      if (spec !== undefined) {
        visuals.push({ id: entity.id, spec });
      }
    }
    this.batches.rebuild(visuals);
    this.actors.rebuild(visuals.map(({ id }) => id));
    this.preview.refresh();
    this.preview.apply();
    this.ghost.refresh();
    this.layers.forEach((layer) => {
      layer.refresh();
    });
    const { lights, scene } = lightsOf(this.world);
    this.lights.rebuild(lights, scene);
    this.applyGrid(scene.grid);
    this.shadows.forget();
    this.renderer.shadowMap.needsUpdate = true;
    this.showOutline();
    this.frameWorldOnce();
  }

  /** The first look shows the world; after that the camera belongs to the person. */
  private frameWorldOnce(): void {
    const name = this.worldName();
    const points = this.framed === name ? [] : this.extents.worldPoints();
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
    this.outline.show([...new Set(this.selected.flatMap((id) => this.extents.slotsBelow(id)))]);
    this.outline.follow();
    this.authors.refresh((id) => this.extents.slotsBelow(id));
  }
}
