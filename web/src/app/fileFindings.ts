/** Tells what was found in the world's file, once for each world. */
import type { Client } from '../client/client';
import { fetchFindings } from '../commands/findings';
import type { About, Level } from '../panels/messages/model';

export class FileFindings {
  /** The file whose findings were told. */
  private told: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly say: (level: Level, text: string, about: About) => void,
  ) {}

  async tell(file: string): Promise<void> {
    if (file === this.told) {
      return;
    }
    this.told = file;
    try {
      const findings = await fetchFindings(this.client);
      findings.forEach(({ level, text, place, help }) => {
        this.say(level, text, { place, help, toast: 'none' });
      });
      if (findings.length > 0) {
        const count = findings.length === 1 ? 'One thing was' : `${findings.length} things were`;
        this.say('info', `${count} found in ${file}. See Messages`, { toast: 'small' });
      }
    } catch {
      this.told = undefined; // The connection is gone again; the next one asks anew.
    }
  }
}
