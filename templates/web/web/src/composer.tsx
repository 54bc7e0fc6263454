import type { OracleClient } from '@sibyl/client'
import type { FileUIPart } from 'ai'
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { upload } from './files.ts'

interface ComposerProps {
  readonly client: OracleClient
  readonly isBusy: boolean
  readonly onSend: (text: string, files: FileUIPart[]) => void
  readonly onStop: () => void
}

/** The form for a message: text, files, send and stop. */
export const Composer = ({ client, isBusy, onSend, onStop }: ComposerProps) => {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<FileUIPart[]>([])
  const [note, setNote] = useState('')
  const input = useRef<HTMLInputElement>(null)

  const attach = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    setNote('Uploading…')
    try {
      const added = await Promise.all(Array.from(target.files ?? [], file => upload(client, file)))
      setFiles(files => [...files, ...added])
      setNote('')
    } catch (error) {
      setNote(error instanceof Error ? error.message : 'The upload failed.')
    }
    target.value = ''
  }
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (isBusy || note === 'Uploading…' || (text.trim() === '' && files.length === 0)) return
    onSend(text.trim(), files)
    setText('')
    setFiles([])
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form className="composer" onSubmit={send}>
      {files.map(({ filename, url }) => (
        <span key={url} className="chip">
          📎 {filename}{' '}
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${filename}`}
            onClick={() => setFiles(files.filter(file => file.url !== url))}
          >
            ×
          </button>
        </span>
      ))}
      <p role="status" className="faint">
        {note}
      </p>
      <textarea
        aria-label="Message"
        placeholder="Message"
        rows={2}
        maxLength={32_000}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={sendOnEnter}
      />
      <div className="actions">
        <input ref={input} type="file" multiple hidden aria-label="Files" onChange={attach} />
        <button type="button" className="quiet" onClick={() => input.current?.click()}>
          Attach
        </button>
        {isBusy ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </div>
    </form>
  )
}
