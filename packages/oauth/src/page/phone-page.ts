import { escapeHtml } from '@sibyl/plugin'
import { type ClientFacts, clientFacts, keySection, scopeLabel } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'

/** Facts that the user decides on with a phone. */
export interface PhoneFacts extends ClientFacts {
  /** The scopes and the duration that the user chose in the other browser. */
  readonly scopes: readonly string[]
  readonly days: number
  /** The number that the other browser shows. */
  readonly number: string
}

/** Returns the page that a phone opens from the QR code of the sign-in page. Its script signs with the key of the phone. */
export const phonePage = (facts: PhoneFacts): string => {
  const { oracle, did, access, clientName, scopes, days, number } = facts
  const hidden = scopes.map(scope => `<input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked hidden>`)
  return pageFrame(
    oracle,
    `Allow ${clientName}`,
    `<h1>Allow ${escapeHtml(clientName)} to act for you at ${escapeHtml(oracle)}?</h1>
<p>Allow only if you opened this page from your own screen, and that screen shows the number <strong>${number}</strong>.</p>
${clientFacts(facts)}
<noscript><p role="alert">Signing in needs JavaScript, because this browser holds your key.</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-phone hidden>
<section aria-labelledby="scopes">
<h2 id="scopes">For ${days} ${days === 1 ? 'day' : 'days'} it may</h2>
<ul>${scopes.map(scope => `<li>${scopeLabel(scope)}</li>`).join('')}</ul>
${hidden.join('')}
</section>
${keySection(access, "Allow with this phone's key")}
</form>
<p id="done" role="status" hidden>Done. Go on at the other screen, and close this page.</p>
<p id="problem" role="alert"></p>
<script type="module" src="../../page/page.js"></script>`,
    '../..',
  )
}
