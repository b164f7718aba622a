/** How a person looks at the world: which overlays, which projection. Remembered by the browser. */
import { recall, remember } from '../../lib/storage';
import { OVERLAYS, type Overlay } from './overlays/markers';
import type { Projection } from './viewpoint';

export class ViewChoices {
  overlays: readonly Overlay[] = $state.raw(readOverlays(recall('overlays')));
  projection: Projection = $state(recall('projection') === 'orthographic' ? 'orthographic' : 'perspective');

  toggle(overlay: Overlay): void {
    this.overlays = toggledOverlay(this.overlays, overlay);
    remember('overlays', this.overlays.join(' '));
  }

  useProjection(projection: Projection): void {
    this.projection = projection;
    remember('projection', projection);
  }
}

/** Reads what was remembered; names that are no overlays are left out. */
export function readOverlays(text: string | undefined): readonly Overlay[] {
  const kept = (text ?? '').split(' ');
  return OVERLAYS.filter((overlay) => kept.includes(overlay));
}

/** Returns the overlays with one more or one less. */
export function toggledOverlay(overlays: readonly Overlay[], overlay: Overlay): readonly Overlay[] {
  return OVERLAYS.filter((other) => overlays.includes(other) !== (other === overlay));
}
