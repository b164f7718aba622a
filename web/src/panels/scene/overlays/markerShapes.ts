/** What marks look like: of size 1, along z where they have an axis. */
import {
  BoxGeometry, BufferAttribute, Color, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry, type BufferGeometry,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

import type { MarkerShape } from './markers';

/** Makes the shape of a mark; whoever asks disposes of it. */
export function buildMarker(shape: MarkerShape): BufferGeometry {
  switch (shape) {
    case 'box':
      return new BoxGeometry(1, 1, 1);
    case 'ball':
      return new SphereGeometry(1, 20, 14);
    case 'ring':
      return new TorusGeometry(0.5, 0.035, 8, 40);
    case 'arrow':
      return together([shaft(-0.35, 0.8), head(0.8, 1)]);
    case 'pointer':
      return together([shaft(0, 0.8), head(0.8, 1)]);
    case 'rod':
      return together([shaft(-0.8, 0.8), head(0.8, 1), head(-0.8, -1)]);
    case 'triad':
      return together([
        painted(shaft(0, 1).rotateY(Math.PI / 2), '#e5534b'),
        painted(shaft(0, 1).rotateX(-Math.PI / 2), '#57ab3f'),
        painted(shaft(0, 1), '#4c86f0'),
      ]);
  }
}

/** A thin bar along z. */
function shaft(from: number, to: number): BufferGeometry {
  return new CylinderGeometry(0.03, 0.03, to - from, 10).rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);
}

/** A tip along z, one way or the other. */
function head(from: number, to: number): BufferGeometry {
  const cone = new ConeGeometry(0.09, Math.abs(to - from), 14).rotateX((Math.sign(to - from) * Math.PI) / 2);
  return cone.translate(0, 0, (from + to) / 2);
}

function painted(geometry: BufferGeometry, color: string): BufferGeometry {
  const { r, g, b } = new Color(color);
  const { count } = geometry.getAttribute('position');
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(Array.from({ length: count }, () => [r, g, b]).flat()), 3));
  return geometry;
}

/** Makes one geometry of several, which are not needed any more then. */
function together(parts: readonly BufferGeometry[]): BufferGeometry {
  const merged = mergeGeometries([...parts]);
  for (const part of parts) {
    part.dispose();
  }
  return merged;
}
