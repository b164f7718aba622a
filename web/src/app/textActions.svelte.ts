/** What robots say and sound while they move: captions for a while, and the loudspeaker. */
import { errorText } from '../lib/errorText';
import { recall, remember } from '../lib/storage';
import type { EntityId } from '../world/entity';
import type { TextAction } from '../world/textCommand';
import type { Voice } from './voice';

/** How long a caption is shown. */
const SHOWN_MS = 4_000;
/** Captions at once; past it the oldest goes. */
const MOST = 8;

export interface Caption {
  readonly number: number;
  readonly text: string;
  /** What it belongs to. */
  readonly player: EntityId;
}

export class TextActions {
  captions: readonly Caption[] = $state.raw([]);
  muted = $state(recall('muted') === 'yes');
  private next = 0;

  constructor(
    private readonly voice: Voice,
    private readonly failed: (reason: string) => void,
  ) {}

  /** Shows an action, and sounds it unless the page is muted. */
  use({ caption: text, sounding, player }: TextAction): void {
    if (text !== '') {
      this.show({ number: this.next, text, player });
    }
    if (this.muted) {
      return;
    }
    if (sounding.kind === 'say') {
      this.voice.say(sounding.text);
    } else if (sounding.kind === 'play') {
      this.voice.play(sounding.address).catch((error: unknown) => {
        this.failed(errorText(error));
      });
    }
  }

  private show(caption: Caption): void {
    this.next += 1;
    this.captions = [...this.captions, caption].slice(-MOST);
    setTimeout(() => {
      this.captions = this.captions.filter((other) => other !== caption);
    }, SHOWN_MS);
  }

  /** Switches the sound off or on. */
  mute(muted: boolean): void {
    this.muted = muted;
    remember('muted', muted ? 'yes' : 'no');
    if (muted) {
      this.voice.hush();
    }
  }

  /** Ends what was under way: the world is at another time. */
  clear(): void {
    this.captions = [];
    this.voice.hush();
  }
}
