/** Runs the real binary with a world and finds the address that it prints. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const REPO = path.resolve(import.meta.dirname, '../../..');

export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts `retake run` on a world of the repository; port 0 lets the system choose one. */
  static async start(world: string, port = 0): Promise<Server> {
    const args = ['run', `worlds/${world}.sdf`, '--paused', '--port', String(port)];
    const child = spawn(binary(), args, { cwd: REPO, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors: string[] = [];
    createInterface(child.stderr).on('line', (line) => errors.push(line));
    const url = await Promise.race([addressOf(child), once(child, 'exit').then(() => undefined)]);
    if (url === undefined) {
      throw new Error(`retake ${args.join(' ')} ended before it served:\n${errors.join('\n')}`);
    }
    return new Server(child, url);
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
    const found = /Page: (http:\/\/\S+)/.exec(line)?.[1];
    if (found !== undefined) {
      // The rest must be read too, or the pipe fills and the server waits.
      child.stdout.resume();
      return found;
    }
  }
  return undefined;
}

function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? path.join(REPO, 'target');
  const found = process.env['RETAKE_BIN'] ?? path.join(target, 'debug/retake');
  if (!existsSync(found)) {
    throw new Error(`${found} is not there. Build it with: cargo build`);
  }
  return found;
}
