/** The windows of the panel that ask for something. */
import { fileNameOf } from '../../world/recording';
import type { Draft } from '../../world/teaching';
import type { ActionForm } from './actionForm';

export type MotionDialog =
  | { readonly kind: 'load' }
  | { readonly kind: 'save-as'; /** A name that was refused because a motion has it. */ readonly taken: string | undefined }
  | { readonly kind: 'new' }
  | { readonly kind: 'action'; readonly form: ActionForm };

/** Says whether a motion is saved where it came from, so that nothing else is lost by it. */
export function savesOver({ file, motion }: Draft): boolean {
  return fileNameOf(file).replace(/\.[^.]*$/u, '') === motion.name;
}
