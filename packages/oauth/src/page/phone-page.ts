import { escapeHtml } from '@sibyl/plugin'
import { applicationOf, type ClientFacts, clientFacts, keySection, scopeChoice } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'
import { scriptTexts } from './sign-in-page.ts'

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
  const { oracle, did, access, scopes, days, browser, address, isNear, language } = facts
  const { texts } = language
  const application = applicationOf(facts)
  const place =
    address === undefined
      ? ''
      : ` ${escapeHtml(texts.facts.at)} <code>${escapeHtml(address)}</code>, ${escapeHtml(isNear ? texts.facts.near : texts.facts.far)}`
  return pageFrame(
    language,
    oracle,
    texts.allow(application),
    `<h1>${escapeHtml(texts.question(application, oracle))}</h1>
<p>${escapeHtml(texts.otherScreen)}</p>
<dl><dt>${escapeHtml(texts.facts.begunIn)}</dt><dd>${escapeHtml(browser)}${place}</dd></dl>
${clientFacts(facts)}
<noscript><p role="alert">${escapeHtml(texts.needsScript)}</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-phone data-texts="${escapeHtml(scriptTexts(texts))}" hidden>
${scopeChoice(texts.itMayFor(days), scopes, texts)}
<p><label for="number">${escapeHtml(texts.numberOnScreen)}</label> <input id="number" name="number" inputmode="numeric" pattern="\\d{4}" maxlength="4" autocomplete="off" required></p>
${keySection(access, texts.withPhoneKey, texts)}
</form>
<p id="done" role="status" hidden>${escapeHtml(texts.phoneDone)}</p>
<p id="problem" role="alert"></p>
<script type="module" src="../../page/page.js"></script>`,
    '../..',
  )
}
