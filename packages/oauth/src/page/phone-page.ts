import { escapeHtml } from '@sibyl/plugin'
import { applicationOf, type ClientFacts, clientFacts, keySection, scopeChoice } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'

/** Facts that the user decides on with a phone. */
export interface PhoneFacts extends ClientFacts {
  /** The scopes that the phone can grant, and the duration. */
  readonly scopes: readonly string[]
  readonly days: number
  /** The browser that began the sign-in, as it describes itself. */
  readonly browser: string
  /** Its network address, if it is known. */
  readonly address: string | undefined
  /** Whether the phone is in the same network. */
  readonly isNear: boolean
}

/**
 * Returns the page that a phone opens from the QR code of the sign-in page. Its script signs with the key of the phone. The user types
 * the number of the first screen, so that a link from a stranger grants nothing by a click.
 */
export const phonePage = (facts: PhoneFacts): string => {
  const { oracle, did, access, scopes, days, browser, address, isNear } = facts
  const question = `Allow ${applicationOf(facts)}`
  const place =
    address === undefined
      ? ''
      : ` at <code>${escapeHtml(address)}</code>${isNear ? ', in the network of this phone' : ', in another network than this phone'}`
  return pageFrame(
    oracle,
    question,
    `<h1>${escapeHtml(question)} to act for you at ${escapeHtml(oracle)}?</h1>
<p>This gives another screen your rights. If someone sent you this link, close the page.</p>
<dl><dt>Begun in</dt><dd>${escapeHtml(browser)}${place}</dd></dl>
${clientFacts(facts)}
<noscript><p role="alert">Signing in needs JavaScript, because this browser holds your key.</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-phone hidden>
${scopeChoice(`For ${days} ${days === 1 ? 'day' : 'days'} it may`, scopes)}
<p><label for="number">The number on your own screen</label> <input id="number" name="number" inputmode="numeric" pattern="\\d{4}" maxlength="4" autocomplete="off" required></p>
${keySection(access, "Allow with this phone's key")}
</form>
<p id="done" role="status" hidden>Done. Go on at the other screen, and close this page.</p>
<p id="problem" role="alert"></p>
<script type="module" src="../../page/page.js"></script>`,
    '../..',
  )
}
