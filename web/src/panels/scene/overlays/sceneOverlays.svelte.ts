/** The overlays of the view: their layers, and the texts that go with them. */
import type { Contacts } from '../../../world/contacts';
import type { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import { pointInWorld } from '../hold';
import { ContactLayer } from './contactLayer';
import { contactMarks } from './contactMarks';
import { isFixed, jointLabels, type MarkerLabel, type Overlay } from './markers';
import { OverlayLayer } from './overlayLayer';

export interface PlacedLabel {
  readonly text: string;
  readonly at: readonly [number, number];
}

export class SceneOverlays {
  /** Names of joints where they are seen now. */
  labels: readonly PlacedLabel[] = $state.raw([]);

  private labelled: readonly MarkerLabel[] = [];
  private engine: SceneEngine | undefined;
  private layers: { readonly marks: OverlayLayer; readonly contacts: ContactLayer } | undefined;

  constructor(private readonly world: World) {}

  /** Draws in a view from now on, until [`detach`]. */
  attach(engine: SceneEngine): void {
    this.engine = engine;
    const metresPerPixel = (point: Parameters<typeof engine.sight.metresPerPixel>[0]): number => engine.sight.metresPerPixel(point);
    const marks = new OverlayLayer({
      world: this.world, metresPerPixel,
      poseOf: (id) => engine.poseOf(id),
      isHidden: (id) => engine.isHidden(id),
      partsOf: (spec) => engine.partsOf(spec),
    });
    const contacts = new ContactLayer(metresPerPixel);
    engine.add(marks);
    engine.add(contacts);
    this.layers = { marks, contacts };
  }

  detach(): void {
    this.layers?.marks.dispose();
    this.layers?.contacts.dispose();
    this.layers = undefined;
    this.engine = undefined;
  }

  /** Shows these and no others. */
  use(on: readonly Overlay[]): void {
    this.layers?.marks.use(on);
    this.labelled = on.includes('joints') ? jointLabels(this.world) : [];
    this.engine?.invalidate();
    this.place();
  }

  /** Shows where things touch; undefined shows nothing. */
  useContacts(contacts: Contacts | undefined): void {
    this.layers?.contacts.use(contacts === undefined ? [] : contactMarks(contacts, (id) => isFixed(this.world, id)));
    this.engine?.invalidate();
  }

  /** Puts the texts where their things are seen now. */
  place(): void {
    const { engine } = this;
    if (engine !== undefined && (this.labelled.length > 0 || this.labels.length > 0)) {
      this.labels = this.labelled.flatMap(({ entity, at, text }) => {
        const seen = engine.isHidden(entity) ? undefined : engine.sight.screenOf(pointInWorld(engine.poseOf(entity), at));
        return seen === undefined ? [] : [{ text, at: seen }];
      });
    }
  }
}
