/** The recording of the world: what it is told to be, and how it goes. */
import { startRecording, stopRecording } from '../commands/recordLog';
import type { Sender } from '../commands/send';
import { recall, remember } from '../lib/storage';
import { draftFrom, draftText, noticeOf, optionsOf, type Draft } from '../panels/record/model';
import type { Level } from '../panels/messages/model';
import type { LogStatus } from '../protocol/generated/retake/msgs/log_pb';
import { recordingOf, type Recording } from '../world/recording';

export class LogRecording {
  /** As the host told it; undefined until it did. */
  status: Recording | undefined = $state.raw();
  /** What the next recording is to be. */
  draft: Draft = $state.raw(draftFrom(recall('record')));

  /** A second press before the answer does nothing. */
  private underWay = false;

  constructor(
    private readonly sender: Sender,
    private readonly say: (level: Level, text: string) => void,
  ) {}

  get active(): boolean {
    return this.status?.active ?? false;
  }

  /** Begins anew with a connection: the host tells all again. */
  begin(): void {
    this.status = undefined;
  }

  useStatus(message: LogStatus): void {
    const now = recordingOf(message);
    const notice = noticeOf(this.status, now);
    this.status = now;
    if (notice !== undefined) {
      this.say(notice.level, notice.text);
    }
  }

  change(part: Partial<Draft>): void {
    this.draft = { ...this.draft, ...part };
    remember('record', draftText(this.draft));
  }

  /** Starts, or ends what runs; fails with a text for people. */
  async toggle(): Promise<void> {
    if (this.underWay) {
      return;
    }
    this.underWay = true;
    try {
      await (this.active ? stopRecording(this.sender) : this.start());
    } finally {
      this.underWay = false;
    }
  }

  private async start(): Promise<void> {
    await startRecording(this.sender, optionsOf(this.draft));
    // The next one is not to write over this one.
    this.change({ file: '' });
  }
}
