import type { OracleClient } from '@sibyl/client'
import { getToolName, isToolUIPart, type UIMessage } from 'ai'
import { useState } from 'react'
import { download } from './files.ts'

type Part = UIMessage['parts'][number]

interface MessageProps {
  readonly client: OracleClient
  readonly message: UIMessage
  readonly onDecide: (approvalId: string, approved: boolean) => void
}

/** One message with its texts, tool calls, questions and files. */
export const Message = ({ client, message, onDecide }: MessageProps) => {
  const { outcome } = (message.metadata ?? {}) as { outcome?: string }
  return (
    <article className={message.role} aria-label={message.role === 'user' ? 'You' : 'Oracle'}>
      {message.parts.map((part, index) => (
        <MessagePart key={index} part={part} client={client} parts={message.parts} onDecide={onDecide} />
      ))}
      {outcome === 'stopped' && <p className="faint">Stopped.</p>}
      {(outcome === 'failed' || outcome === 'interrupted') && <p className="faint">The answer is incomplete.</p>}
    </article>
  )
}

const MessagePart = ({
  part,
  parts,
  client,
  onDecide,
}: Omit<MessageProps, 'message'> & { readonly part: Part; readonly parts: readonly Part[] }) => {
  if (part.type === 'text') return <p className="text">{part.text}</p>
  if (part.type === 'file') return <Attachment client={client} name={part.filename ?? 'file'} url={part.url} />
  if (part.type === 'data-notice') return <p className="faint">{(part.data as { text?: string }).text}</p>
  if (!isToolUIPart(part)) return null

  const { approval } = part as { approval?: { id: string; requestReason?: string } }
  if (part.state === 'approval-requested' && approval) {
    return (
      <Approval
        question={questionOf(parts, approval.id) ?? approval.requestReason ?? `Run ${getToolName(part)}?`}
        input={part.input}
        onDecide={approved => onDecide(approval.id, approved)}
      />
    )
  }
  return (
    <details className="tool">
      <summary>
        {getToolName(part)} <span className="faint">{stateWords[part.state] ?? 'running'}</span>
      </summary>
      <pre>{JSON.stringify({ input: part.input, output: part.output, error: part.errorText }, undefined, 2)}</pre>
    </details>
  )
}

const stateWords: Readonly<Record<string, string>> = {
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
  'approval-responded': 'answered',
}

/** The question that a tool asks in its own words. */
const questionOf = (parts: readonly Part[], approvalId: string): string | undefined => {
  const question = parts.find(
    part => part.type === 'data-question' && (part.data as { approvalId?: string }).approvalId === approvalId,
  )
  return question && 'data' in question ? (question.data as { text?: string }).text : undefined
}

interface ApprovalProps {
  readonly question: string
  readonly input: unknown
  readonly onDecide: (approved: boolean) => void
}

const Approval = ({ question, input, onDecide }: ApprovalProps) => {
  const [isDecided, setDecided] = useState(false)
  const decide = (approved: boolean) => {
    setDecided(true)
    onDecide(approved)
  }
  return (
    <section className="card approval" aria-label="Approval">
      <p className="lines">{question}</p>
      <details>
        <summary>As JSON</summary>
        <pre>{JSON.stringify(input, undefined, 2)}</pre>
      </details>
      <button type="button" disabled={isDecided} onClick={() => decide(true)}>
        Allow
      </button>{' '}
      <button type="button" className="quiet" disabled={isDecided} onClick={() => decide(false)}>
        Deny
      </button>
    </section>
  )
}

const Attachment = ({ client, name, url }: { client: OracleClient; name: string; url: string }) => {
  const [error, setError] = useState('')
  return (
    <p>
      <button
        type="button"
        className="quiet"
        onClick={() => void download(client, url, name).catch(e => setError(e.message))}
      >
        📎 {name}
      </button>{' '}
      {error}
    </p>
  )
}
