/** Draws the handles over the view. They are lines on a plane: no graphics card is asked. */
import type { Handle } from './drag';
import type { Figure } from './figures';

const SVG = 'http://www.w3.org/2000/svg';

export class HandlesView {
  private readonly root: SVGSVGElement;
  private readonly shapes: SVGElement[] = [];

  constructor(frame: HTMLElement) {
    this.root = document.createElementNS(SVG, 'svg');
    this.root.setAttribute('class', 'handles');
    this.root.setAttribute('aria-hidden', 'true');
    frame.append(this.root);
  }

  /** Draws what is seen of the handles; `lit` is under the pointer or in hand. */
  show(figures: readonly Figure[], lit: Handle | undefined): void {
    figures.forEach((figure, n) => {
      const shape = this.shapeAt(n);
      const { handle, points } = figure;
      const closed = figure.shape === 'area' ? [...points, ...points.slice(0, 1)] : points;
      shape.setAttribute('points', closed.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '));
      shape.setAttribute('class', `${figure.shape} ${handle}${handle === lit ? ' lit' : ''}`);
      shape.setAttribute('data-handle', handle);
    });
    for (const shape of this.shapes.splice(figures.length)) {
      shape.remove();
    }
  }

  dispose(): void {
    this.root.remove();
  }

  private shapeAt(n: number): SVGElement {
    const known = this.shapes[n];
    if (known !== undefined) {
      return known;
    }
    const shape = document.createElementNS(SVG, 'polyline');
    this.root.append(shape);
    this.shapes.push(shape);
    return shape;
  }
}
