import type { RemotePart, RemoteTask } from './agent-client.ts'

/** Maximum length of an answer for the model, in characters. */
const maxText = 40_000

/** Returns what another agent answered as text, cut to a length that suits a conversation. */
export const answerText = (answer: RemoteTask | { readonly parts: readonly RemotePart[] }): string => {
  const parts =
    'status' in answer
      ? [...answer.artifacts.flatMap(artifact => artifact.parts), ...(answer.status.message?.parts ?? [])]
      : answer.parts
  const text = parts
    .map(partText)
    .filter(one => one !== '')
    .join('\n\n')
  return text.length <= maxText
    ? text
    : `${text.slice(0, maxText)}\n[Truncated: the first ${maxText} of ${text.length} characters.]`
}

const partText = ({ text, raw, url, data, filename, mediaType }: RemotePart): string => {
  if (text !== undefined) return text
  if (url !== undefined) return `${filename ?? 'file'}: ${url}`
  if (raw !== undefined) {
    const bytes = Math.floor((raw.length * 3) / 4)
    return `[${[filename, mediaType ?? 'file', `${bytes} bytes`].filter(Boolean).join(', ')}, not shown]`
  }
  return data === undefined ? '' : JSON.stringify(data)
}
