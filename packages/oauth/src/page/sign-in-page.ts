import { escapeHtml } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'
import { applicationOf, type ClientFacts, clientFacts, keySection, scopeChoice } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'

/** Facts that the user decides on. */
export interface SignInFacts extends ClientFacts {
  readonly scopes: readonly string[]
}

/** Durations of a sign-in, in days. */
export const signInDays = [1, 7, 30, 90] as const

/** Maximum duration of a sign-in by phone, in days. */
export const phoneDays = 30

/** Returns the page on which a user signs in and consents. Its script signs with the key of the browser. */
export const signInPage = (facts: SignInFacts): string => {
  const { oracle, did, access, scopes } = facts
  const question = `Allow ${applicationOf(facts)}`
  const days = signInDays.map(
    count =>
      `<option value="${count}"${count === 30 ? ' selected' : ''}>${count} ${count === 1 ? 'day' : 'days'}</option>`,
  )
  return pageFrame(
    oracle,
    question,
    `<h1>${escapeHtml(question)} to act for you at ${escapeHtml(oracle)}?</h1>
${clientFacts(facts)}
<noscript><p role="alert">Signing in needs JavaScript, because this browser holds your key.</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-access="${access}" hidden>
${scopeChoice('It may', scopes)}
<p><label for="days">For</label> <select id="days" name="days">${days.join('')}</select></p>
${keySection(access, "Allow with this browser's key")}
<section aria-labelledby="by-phone">
<h2 id="by-phone">Or sign in with your phone</h2>
<p class="quiet">Your phone signs with its key, and this page continues. By phone, the application gets rights by name instead of “everything”, no right to create API keys, and at most ${phoneDays} days.</p>
<button type="button" id="phone" class="plain">Show a QR code</button>
<div id="phone-request" hidden>
<svg id="qr" role="img" aria-label="QR code of this address"></svg>
<p>Scan it with the phone, or open <a id="phone-link" target="_blank" rel="noopener">this address</a> there. Then type this number on the phone: <strong id="phone-number"></strong></p>
</div>
</section>
<section aria-labelledby="by-code">
<h2 id="by-code">Or use a one-time code</h2>
<p class="quiet"><label for="code">A code from the operator: <code>${sibylCommand(process.env, 'npx sibyl')} sign-in code</code></label></p>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="30">
<button type="submit" id="allow-code" value="code" class="plain">Allow with the code</button>
</section>
<p><button type="button" id="deny" class="plain">Deny</button></p>
</form>
<p id="problem" role="alert"></p>
<script type="module" src="../page/page.js"></script>`,
    '..',
  )
}
