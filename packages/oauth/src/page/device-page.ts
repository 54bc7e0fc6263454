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
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required></p>
<button type="submit">Continue</button>
</form>
<p role="alert">${escapeHtml(problem)}</p>`,
  )

/** Returns the page after the sign-in of a device. */
export const deviceDonePage = (oracle: string, isAllowed: boolean): string =>
  pageFrame(
    oracle,
    isAllowed ? 'Signed in' : 'Not signed in',
    `<h1>${isAllowed ? 'Your device is signed in' : 'Your device has no access'}</h1>
<p>Close this page, and go on at the device.</p>`,
    '..',
  )
