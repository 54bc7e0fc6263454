import { useChat } from '@ai-sdk/react'
import { createClient, SibylChatTransport } from '@sibyl/client'
import { createSigningKey } from '@sibyl/identity/browser'
import type { UIMessage } from 'ai'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'

const url = new URLSearchParams(location.search).get('oracle') ?? 'http://localhost:3000'
const client = createClient({ url, signer: createSigningKey() })
const transport = new SibylChatTransport({ client })

const part = (one: UIMessage['parts'][number], index: number) => {
  if (one.type === 'text') return h('span', { key: index }, one.text)
  if (one.type !== 'file') return null
  if (one.mediaType.startsWith('image/')) return h('img', { key: index, src: one.url, alt: one.filename })
  return h('a', { key: index, href: one.url }, one.filename)
}

/** A chat that takes pictures and PDFs; Reload shows the session as the oracle keeps it. */
const Chat = () => {
  const { messages, sendMessage, setMessages, error } = useChat({ id: 'files', transport })
  const [files, setFiles] = useState<FileList>()
  const reload = async () => setMessages((await client.sessions.get('files')).messages as UIMessage[])
  return h(
    'main',
    null,
    messages.map(({ id, role, parts }) => h('article', { key: id, 'data-role': role }, parts.map(part))),
    error ? h('p', { role: 'alert' }, error.message) : null,
    h('input', {
      type: 'file',
      'aria-label': 'Files',
      multiple: true,
      onChange: (event: { readonly target: { readonly files: FileList | null } }) =>
        setFiles(event.target.files ?? undefined),
    }),
    h(
      'button',
      { type: 'button', onClick: () => sendMessage({ text: 'What is it?', ...(files ? { files } : {}) }) },
      'Send',
    ),
    h('button', { type: 'button', onClick: reload }, 'Reload'),
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(Chat))
