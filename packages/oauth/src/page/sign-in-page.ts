import { escapeHtml } from '@sibyl/plugin'
import { type ClientFacts, clientFacts, keySection, scopeLabel } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'
import { createKeysScope } from './scope-text.ts'

/** Facts that the user decides on. */
export interface SignInFacts extends ClientFacts {
  readonly scopes: readonly string[]
}

/** Durations of a sign-in, in days. */
export const signInDays = [1, 7, 30, 90] as const

/** Returns the page on which a user signs in and consents. Its script signs with the key of the browser. */
export const signInPage = (facts: SignInFacts): string => {
  const { oracle, did, access, clientName, scopes } = facts
  const scopeLines = scopes.map(
    scope =>
      `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}"${scope === createKeysScope ? '' : ' checked'}> <span>${scopeLabel(scope)}</span></label></li>`,
  )
  const days = signInDays.map(
    count =>
      `<option value="${count}"${count === 30 ? ' selected' : ''}>${count} ${count === 1 ? 'day' : 'days'}</option>`,
  )
  return pageFrame(
    oracle,
    `Allow ${clientName}`,
    `<h1>Allow ${escapeHtml(clientName)} to act for you at ${escapeHtml(oracle)}?</h1>
${clientFacts(facts)}
<noscript><p role="alert">Signing in needs JavaScript, because this browser holds your key.</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-access="${access}" hidden>
<fieldset>
<legend>It may</legend>
<ul>${scopeLines.join('')}</ul>
</fieldset>
<p><label for="days">For</label> <select id="days" name="days">${days.join('')}</select></p>
${keySection(access, "Allow with this browser's key")}
<section aria-labelledby="by-phone">
<h2 id="by-phone">Or sign in with your phone</h2>
<p class="quiet">Your phone signs with its key, and this page continues.</p>
<button type="button" id="phone" class="plain">Show a QR code</button>
<div id="phone-request" hidden>
<svg id="qr" role="img" aria-label="QR code of this address"></svg>
<p>Scan it with the phone, or open <a id="phone-link" target="_blank" rel="noopener">this address</a> there. The phone shows the number <strong id="phone-number"></strong>.</p>
</div>
</section>
<section aria-labelledby="by-code">
<h2 id="by-code">Or use a one-time code</h2>
<p class="quiet"><label for="code">A code from the operator: <code>sibyl sign-in code</code></label></p>
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
