/** The loudspeaker of the page: sound files, and speech where the browser has it. */

/** Sounds that play at once; past it the oldest is cut off. */
const MOST = 8;

export interface Voice {
  /** Plays a sound file; rejects with a text for people. */
  play(address: string): Promise<void>;
  say(text: string): void;
  /** Cuts everything off. */
  hush(): void;
}

export class BrowserVoice implements Voice {
  private playing: HTMLAudioElement[] = [];

  async play(address: string): Promise<void> {
    const answer = await fetch(address);
    if (!answer.ok) {
      throw new Error(await answer.text());
    }
    const source = URL.createObjectURL(await answer.blob());
    const audio = new Audio(source);
    const end = (): void => {
      URL.revokeObjectURL(source);
      this.playing = this.playing.filter((other) => other !== audio);
    };
    audio.addEventListener('ended', end);
    this.playing.push(audio);
    this.playing.slice(0, -MOST).forEach(stop);
    this.playing = this.playing.slice(-MOST);
    try {
      await audio.play();
    } catch (error) {
      end();
      const asked = error instanceof DOMException && error.name === 'NotAllowedError';
      throw asked ? new Error('The browser plays no sound yet. Click into the page once') : error;
    }
  }

  say(text: string): void {
    // A browser without it shows the words all the same.
    if ('speechSynthesis' in window) {
      window.speechSynthesis.speak(new SpeechSynthesisUtterance(text));
    }
  }

  hush(): void {
    this.playing.forEach(stop);
    this.playing = [];
    if ('speechSynthesis' in window) {
      window.speechSynthesis.cancel();
    }
  }
}

function stop(audio: HTMLAudioElement): void {
  audio.pause();
  URL.revokeObjectURL(audio.src);
}
