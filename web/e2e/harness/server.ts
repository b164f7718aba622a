/** Runs the real binary with a world and finds the address that it prints. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { ownFolder } from './folders';

export const REPO = path.resolve(import.meta.dirname, '../../..');
/** So many lines of what a process says are kept. */
const LINES_KEPT = 2000;

/** A process that was started, whether it serves already or not. */
interface Running {
  readonly child: ChildProcess;
  /** What it was started with. */
  readonly line: string;
  /** The last that it wrote to its standard error. */
  readonly errors: readonly string[];
}

const running = new Set<Running>();

export class Server {
  private constructor(
    private readonly process: Running,
    readonly url: string,
    private readonly runtimeDir: string,
  ) {}

  /** Every process that was not ended yet, with what it said. */
  static get running(): readonly Running[] {
    return [...running];
  }

  /** Ends all processes that run. */
  static async killAll(): Promise<void> {
    await Promise.all([...running].map(kill));
  }

  /** Starts `retake run` on a world of the repository; port 0 lets the system choose one. */
  static start(world: string, { port = 0, more = [] }: { port?: number; more?: readonly string[] } = {}): Promise<Server> {
    return Server.open(`worlds/${world}.sdf`, { port, more });
  }

  /** Starts `retake run` on any world file, by itself or where another server is. */
  static open(file: string, { port = 0, more = [], beside }: { port?: number; more?: readonly string[]; beside?: Server } = {}): Promise<Server> {
    const args = ['run', file, '--paused', '--port', String(port), '--bus-port', '0', ...more];
    return Server.spawn(args, beside?.runtimeDir ?? newRuntimeDir());
  }

  /** Starts `retake server`: a world without a page. */
  static serve(world: string): Promise<Server> {
    return Server.serveFile(`worlds/${world}.sdf`, ['--paused']);
  }

  /** Starts `retake server` on any world file. */
  static serveFile(file: string, more: readonly string[] = []): Promise<Server> {
    return Server.spawn(['server', file, '--bus-port', '0', ...more], newRuntimeDir());
  }

  /** Starts `retake run` for whoever has a token of the file. */
  static guarded(world: string, tokenFile: string): Promise<Server> {
    const where = ['--listen', '127.0.0.1:0', '--token-file', tokenFile];
    return Server.spawn(['run', `worlds/${world}.sdf`, '--paused', '--bus-port', '0', ...where], newRuntimeDir());
  }

  /** Starts `retake play`: a page for a log, paused at its beginning. */
  static play(file: string): Promise<Server> {
    return Server.spawn(['play', file, '--paused', '--port', '0'], newRuntimeDir());
  }

  /** Starts `retake gui`: a page for this server, in another process. */
  gui(): Promise<Server> {
    return Server.spawn(['gui', '--port', '0'], this.runtimeDir);
  }

  /** Runs a command of the command line against this server and returns what it prints. */
  async command(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(binary(), args, { cwd: REPO, env: environment(this.runtimeDir) });
    return stdout;
  }

  /** The simulated time of the world, in seconds. */
  async simTimeSecs(): Promise<number> {
    const { sim_time } = JSON.parse(await this.command('world', 'stats', '--format', 'json')) as { sim_time: number };
    return sim_time;
  }

  private static async spawn(args: readonly string[], runtimeDir: string): Promise<Server> {
    const env = environment(runtimeDir);
    const child = spawn(binary(), args, { cwd: REPO, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors: string[] = [];
    createInterface(child.stderr).on('line', (line) => {
      errors.push(line);
      errors.splice(0, errors.length - LINES_KEPT);
    });
    const process = { child, line: `retake ${args.join(' ')}`, errors };
    running.add(process);
    const url = await Promise.race([addressOf(child), once(child, 'exit').then(() => undefined)]);
    if (url === undefined) {
      running.delete(process);
      throw new Error(`${process.line} ended before it served:\n${errors.join('\n')}`);
    }
    return new Server(process, url, runtimeDir);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Ends the process at once, as a crash would. */
  kill(): Promise<void> {
    return kill(this.process);
  }
}

async function kill(process: Running): Promise<void> {
  const { child } = process;
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  running.delete(process);
}

async function addressOf(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) {
    return undefined;
  }
  for await (const line of createInterface(child.stdout)) {
    const found = /(?:Page: |Serving \S+ on )(\S+)/.exec(line)?.[1];
    if (found !== undefined) {
      // The rest must be read too, or the pipe fills and the server waits.
      child.stdout.resume();
      return found;
    }
  }
  return undefined;
}

/** Servers find one another by a file; each one's own folder keeps them apart. */
function newRuntimeDir(): string {
  return ownFolder('e2e');
}

function environment(runtimeDir: string): NodeJS.ProcessEnv {
  return { ...process.env, XDG_RUNTIME_DIR: runtimeDir };
}

function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? path.join(REPO, 'target');
  const found = process.env['RETAKE_BIN'] ?? path.join(target, 'debug/retake');
  if (!existsSync(found)) {
    throw new Error(`${found} is not there. Build it with: cargo build`);
  }
  return found;
}
