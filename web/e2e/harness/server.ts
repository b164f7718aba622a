/** Runs the real binary with a world and finds the address that it prints. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export const REPO = path.resolve(import.meta.dirname, '../../..');

export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly runtimeDir: string,
  ) {}

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

  private static async spawn(args: readonly string[], runtimeDir: string): Promise<Server> {
    const env = environment(runtimeDir);
    const child = spawn(binary(), args, { cwd: REPO, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors: string[] = [];
    createInterface(child.stderr).on('line', (line) => errors.push(line));
    const url = await Promise.race([addressOf(child), once(child, 'exit').then(() => undefined)]);
    if (url === undefined) {
      throw new Error(`retake ${args.join(' ')} ended before it served:\n${errors.join('\n')}`);
    }
    return new Server(child, url, runtimeDir);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
  }
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

/** Servers find one another by a file; each test's own folder keeps them apart. */
function newRuntimeDir(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'retake-e2e-'));
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
