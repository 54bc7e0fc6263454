/** The next answer of what was typed, or that it is the exit. */
export type TypedAnswer =
  | { readonly kind: 'exit' }
  /** `rest` is what follows its `*`; undefined for nothing. */
  | { readonly kind: 'answer'; readonly token: string; readonly rest: string | undefined }

/**
 * Takes the next answer off what was typed. At a screen with numbered answers it ends at the next `*`, and a `*` where it
 * would begin is the exit (`**` too: the exit, and what was typed after it); `*5` is an empty answer before a 5. At a free
 * question all of it is the answer, except a `*` alone.
 */
export const nextAnswer = (typed: string, form: 'numbered' | 'free'): TypedAnswer => {
  if (typed === '*') return { kind: 'exit' }
  if (form === 'free') return { kind: 'answer', token: typed, rest: undefined }
  if (typed.startsWith('**')) return { kind: 'exit' }
  const end = typed.indexOf('*')
  if (end < 0) return { kind: 'answer', token: typed, rest: undefined }
  return { kind: 'answer', token: typed.slice(0, end).trim(), rest: typed.slice(end + 1).trim() || undefined }
}
