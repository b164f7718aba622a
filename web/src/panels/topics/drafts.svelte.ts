/** What a person writes to publish or to call with, kept for each topic and service of a visit. */

export class Draft {
  name: string;
  typeName: string;
  json: string = $state('');
  /** How often to publish, as it is typed. */
  perSec: string = $state('10');

  /** The template that was offered last; what a person wrote is never written over. */
  private offered = '';

  constructor(name: string, typeName: string) {
    this.name = $state(name);
    this.typeName = $state(typeName);
  }

  /** Fills in all fields of a type, unless the person has written something. */
  offer(template: string): void {
    if (this.json.trim() === '' || this.json === this.offered) {
      this.json = template;
    }
    this.offered = template;
  }
}

/** Drafts that are kept; the oldest go when there are more. */
const MOST_DRAFTS = 50;

export class Drafts {
  private drafts: { readonly key: string; readonly draft: Draft }[] = [];

  /** Returns the draft of a topic or service, and makes one if there is none. */
  of(what: 'topic' | 'service', name: string, typeName: string): Draft {
    const key = `${what} ${name}`;
    const known = this.drafts.find((other) => other.key === key);
    if (known !== undefined) {
      return known.draft;
    }
    const draft = new Draft(name, typeName);
    this.drafts = [...this.drafts, { key, draft }].slice(-MOST_DRAFTS);
    return draft;
  }
}
