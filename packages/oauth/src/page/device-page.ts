import { escapeHtml } from '@sibyl/plugin'
import { pageFrame } from './page-frame.ts'

/** Returns the page on which a user types the code that a device shows. @param problem What was wrong with the last one. */
export const deviceCodePage = (oracle: string, problem = ''): string =>
  pageFrame(
    oracle,
    'Sign in a device',
    `<h1>Type the code that your device shows</h1>
<p class="quiet">Only type a code of a program that you started yourself. Another person who sends you a code gets access to your data.</p>
<form method="post" action="device">
<p><label for="user_code">Code</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></p>
<button type="submit">Continue</button>
</form>
<p role="alert">${escapeHtml(problem)}</p>`,
  )

const ends = {
  allowed: ['Your device is signed in', 'Close this page, and continue on the device.'],
  denied: ['Your device has no access', 'It can request access again.'],
  expired: ['Your device has no access', 'The code expired. Start again on the device.'],
} as const

/** Returns the page after the sign-in of a device. */
export const deviceDonePage = (oracle: string, end: keyof typeof ends): string => {
  const [title, text] = ends[end]
  return pageFrame(oracle, title, `<h1>${title}</h1>\n<p>${text}</p>`, '..')
}
