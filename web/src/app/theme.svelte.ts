/** Dark or light, remembered; at first as the system has it. */
import { recall, remember } from '../lib/storage';

export type ThemeName = 'dark' | 'light';

export class Theme {
  name: ThemeName = $state('dark');

  constructor() {
    const kept = recall('theme');
    const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
    this.use(kept === 'dark' || kept === 'light' ? kept : system);
  }

  toggle(): void {
    this.use(this.name === 'dark' ? 'light' : 'dark');
    remember('theme', this.name);
  }

  private use(name: ThemeName): void {
    this.name = name;
    document.documentElement.dataset['theme'] = name;
  }
}
