/** Elements of a world file, as plugins keep them, written as the server writes and reads them. */
import { readMaps } from './components';

/** Writes elements one below the other; undefined when the value is no list of elements. */
export function printElements(value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const elements = readMaps(value);
  if (elements.length !== value.length || !elements.every((element) => typeof element['name'] === 'string')) {
    return undefined;
  }
  // What stands between the elements is kept as a nameless one.
  const lines = elements.map((element) => (element['name'] === '' ? escaped(element['text']) : printed(element, 0)));
  return lines.filter((line) => line !== '').join('\n');
}

function printed(element: Readonly<Record<string, unknown>>, depth: number): string {
  const name = String(element['name']);
  const attributes = (Array.isArray(element['attributes']) ? element['attributes'] : []) as unknown[];
  const written = attributes.map((pair) => (Array.isArray(pair) ? ` ${String(pair[0])}="${escaped(pair[1])}"` : '')).join('');
  const children = readMaps(element['children']);
  const text = escaped(element['text']);
  if (children.length === 0) {
    return text === '' ? `<${name}${written}/>` : `<${name}${written}>${text}</${name}>`;
  }
  const inner = children.map((child) => `\n${'  '.repeat(depth + 1)}${printed(child, depth + 1)}`).join('');
  return `<${name}${written}>${text}${inner}\n${'  '.repeat(depth)}</${name}>`;
}

function escaped(text: unknown): string {
  const signs: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], ['\r', '&#13;']]);
  return typeof text === 'string' ? text.replace(/[&<>"\r]/g, (sign) => signs.get(sign) ?? sign) : '';
}
