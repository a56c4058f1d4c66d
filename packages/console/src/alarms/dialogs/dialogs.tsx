import type { ReactNode } from 'react';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { CallDialog } from './call-dialog.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import type { DialogKind, DialogProps } from './dialog-props.ts';
import { MaskDialog } from './mask-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

const dialogs: Record<DialogKind, (props: DialogProps) => ReactNode> = {
  mask: MaskDialog,
  comment: CommentDialog,
  call: CallDialog,
  reset: ResetDialog,
  acknowledge: AcknowledgeDialog,
};

export function Dialogs({ kind, ...props }: DialogProps & { readonly kind: DialogKind | undefined }) {
  if (kind === undefined || props.rows.length === 0) return null;
  const Shown = dialogs[kind];
  return <Shown {...props} />;
}
