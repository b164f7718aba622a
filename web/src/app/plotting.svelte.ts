/** The plots of the GUI host: their layout, their samples, and what this page shows of them. */
import { browseSignals, clearPlots, keepPlotRun, loadPlotLayout, loadPlotRun, measurePlot, setPlotLayout, type SignalQuery } from '../commands/plots';
import type { Client } from '../client/client';
import { Emitter } from '../lib/emitter';
import type { Edit } from '../panels/plots/edits';
import type { PlotHost, SignalList, Watched } from '../panels/plots/host';
import { PlotViews } from '../panels/plots/views.svelte';
import type { PlotFrame, PlotLayoutState } from '../protocol/generated/retake/msgs/plots_pb';
import { frameOf, type Frame, type Measure } from '../world/plotFrame';
import { plotBoardOf, type PlotBoard } from '../world/plotLayout';
import { LayoutEdits } from './layoutEdits';

/** How often the host is told what is in view while a person drags. */
const WATCH_MS = 33;

export class Plotting implements PlotHost {
  /** The layout as it is shown; undefined until the host told it. */
  board: PlotBoard | undefined = $state.raw();
  readonly views = new PlotViews();
  readonly frameReceived = new Emitter<Frame>();

  private readonly edits: LayoutEdits;
  private frames: readonly Frame[] = [];
  private watched: readonly Watched[] = [];
  private watchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Pick<Client, 'request' | 'send'>,
    say: (text: string) => void,
  ) {
    this.edits = new LayoutEdits({
      send: (layout, baseRevision) => setPlotLayout(this.client, layout, baseRevision),
      changed: () => {
        this.board = this.edits.shown;
      },
      refused: say,
    });
  }

  /** Begins anew with a connection: the host knows nothing of this page. */
  begin(): void {
    this.frames = [];
    if (this.watched.length > 0) {
      this.sendWatched();
    }
  }

  stop(): void {
    clearTimeout(this.watchTimer);
    this.edits.stop();
  }

  useLayout(message: PlotLayoutState): void {
    this.edits.use(plotBoardOf(message));
  }

  useFrame(message: PlotFrame): void {
    const frame = frameOf(message);
    const others = this.frames.filter(({ plotId }) => plotId !== frame.plotId && this.watched.some((other) => other.plotId === plotId));
    this.frames = [...others, frame];
    this.frameReceived.emit(frame);
  }

  frame(plotId: string): Frame | undefined {
    return this.frames.find((frame) => frame.plotId === plotId);
  }

  edit(edit: Edit): void {
    this.edits.edit(edit);
  }

  watch(plots: readonly Watched[]): void {
    this.watched = plots;
    this.watchTimer ??= setTimeout(() => {
      this.watchTimer = undefined;
      this.sendWatched();
    }, WATCH_MS);
  }

  browse(query: SignalQuery): Promise<SignalList> {
    return browseSignals(this.client, query);
  }

  measure(plotId: string, fromSecs: number, toSecs: number): Promise<readonly Measure[]> {
    return measurePlot(this.client, plotId, fromSecs, toSecs);
  }

  keepRun(title: string): Promise<void> {
    return keepPlotRun(this.client, title);
  }

  openRun(file: File): Promise<void> {
    return loadPlotRun(this.client, file);
  }

  load(json: string): Promise<void> {
    return loadPlotLayout(this.client, json);
  }

  clear(): Promise<void> {
    return clearPlots(this.client);
  }

  private sendWatched(): void {
    const view = this.watched.map(({ plotId, pixels, time }) => ({
      plotId,
      pixels,
      ...(time === undefined ? {} : { fromSecs: time.min, toSecs: time.max }),
    }));
    this.client.send({ message: { case: 'watchPlots', value: { view } } });
  }
}
