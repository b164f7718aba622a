/** The log that is shown, when the host shows one: where it is, and where the person wants it. */
import { changePlay, seekLog, seekSimTime, stepLog, type PlayChange } from '../commands/playLog';
import type { Sender } from '../commands/send';
import { errorText } from '../lib/errorText';
import { OneByOne } from '../lib/oneByOne';
import type { Playback, PlaybackFile } from '../protocol/generated/retake/msgs/log_pb';
import { logFileOf, placeOf, type LogFile, type Place } from '../world/playback';
import { Agreed } from './agreed';

/** How long the wished place is shown after it was reached: the view comes a little after the reply. */
const SETTLE_MS = 250;

export class Playing {
  /** The log; undefined of a host whose world runs. */
  file: LogFile | undefined = $state.raw();
  place: Place | undefined = $state.raw();
  /** The recording time that the person wants, until the log is there. */
  wantedSecs: number | undefined = $state();

  private readonly agreed = new Agreed<Place>((place) => (this.place = place));
  private readonly seeks: OneByOne<number>;
  private readonly steps: OneByOne<number>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly sender: Sender,
    refused: (text: string) => void,
  ) {
    const failed = (error: unknown): void => {
      this.wantedSecs = undefined;
      refused(errorText(error));
    };
    const seek = async (atSecs: number): Promise<void> => {
      await seekLog(this.sender, atSecs);
      this.settle();
    };
    this.seeks = new OneByOne(seek, (_, newest) => newest, failed);
    this.steps = new OneByOne((step: number) => stepLog(this.sender, step), (waiting, more) => waiting + more, failed);
  }

  get playing(): boolean {
    return this.place?.playing ?? false;
  }

  /** Begins anew with a connection: the host may show something else. */
  begin(): void {
    this.stop();
    this.file = undefined;
    this.place = undefined;
    this.wantedSecs = undefined;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.agreed.clear();
    this.seeks.clear();
    this.steps.clear();
  }

  useFile(message: PlaybackFile): void {
    this.file = logFileOf(message);
  }

  usePlace(message: Playback): void {
    this.agreed.use(placeOf(message));
  }

  /** Plays, pauses, changes speed or repeats; fails with a text for people. */
  async change(change: PlayChange): Promise<void> {
    await changePlay(this.sender, change);
    const { play, ...rest } = change;
    this.agreed.agree(play === undefined ? rest : { ...rest, playing: play });
  }

  /** Goes to a recording time. While one is on its way only the newest wish waits. */
  seek(atSecs: number): void {
    clearTimeout(this.timer);
    this.wantedSecs = atSecs;
    this.seeks.ask(atSecs);
  }

  /** Goes some recorded states on, or back when negative. */
  step(count: number): void {
    this.wantedSecs = undefined;
    this.steps.ask(count);
  }

  /** Goes to a simulated time, in one of the passes over it; fails with a text for people. */
  async seekSimTime(secs: number, pass: number): Promise<void> {
    this.wantedSecs = undefined;
    await seekSimTime(this.sender, secs, pass);
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.seeks.idle) {
        this.wantedSecs = undefined;
      }
    }, SETTLE_MS);
  }
}
