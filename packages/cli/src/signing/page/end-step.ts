import { type Child, element, paragraph } from './elements.ts'
import type { PageScreen } from './screen.ts'

const again = 'Run the command on the computer again, and scan the new code.'

/** The final screens, by the state of the request or by an error code: a heading and instructions. */
const ends: Readonly<Record<string, readonly [kind: 'good' | 'bad' | 'plain', title: string, ...words: string[]]>> = {
  signed: ['good', 'Signed', 'The computer has received your signature. You can close this page.'],
  refused: ['plain', 'Refused', 'Nothing was signed, and the computer was notified. You can close this page.'],
  expired: ['plain', 'Too late', 'The request has expired. Nothing was signed.', again],
  cancelled: ['plain', 'Canceled on the computer', 'The command was canceled there. Nothing was signed.', again],
  'wrong-device': [
    'bad',
    'The wrong phone',
    'Nothing was signed. The computer requires another key than the one of this browser.',
    `${again} Then use the phone that has the key, or its backup words.`,
  ],
  invalid: ['bad', 'Not accepted', 'The computer did not accept the signature. It shows the reason.', again],
  signing_taken: [
    'bad',
    'Opened elsewhere first',
    'Another device, another browser or a private window opened this link before. Only that one can sign.',
    'If that was not you, stop the command on the computer with Ctrl-C: someone else has seen the code.',
  ],
  signing_over: ['plain', 'Nothing to sign here', 'This link has expired. Opening it signs nothing.', again],
  proof_invalid: [
    'bad',
    'The link is incomplete',
    'It ends with # and 22 characters.',
    'Scan the code again, or copy all of the link.',
  ],
  failed: ['bad', 'This page failed', 'Nothing was signed. Try another browser.'],
  offline: [
    'bad',
    'The computer does not respond',
    'The command may have ended, the computer may be asleep, or this phone may be in another network.',
    'Nothing new was signed.',
  ],
  unconfirmed: [
    'bad',
    'No confirmation from the computer',
    'Your signature was sent, but not confirmed. The computer shows whether you are signed in.',
  ],
}

/** Shows a final screen. @param more Additional content. */
export const showEnd = (screen: PageScreen, how: string, ...more: readonly Child[]): void => {
  const [kind, title, ...words] = (Object.hasOwn(ends, how) ? ends[how] : undefined) ?? ends.failed!
  const mark = { good: '✓', bad: '!', plain: '–' }[kind]
  screen.showFooter()
  screen.show(
    title,
    element('p', { class: `mark ${kind}`, 'aria-hidden': true }, mark),
    ...words.map(text => paragraph(text)),
    ...more,
  )
}
