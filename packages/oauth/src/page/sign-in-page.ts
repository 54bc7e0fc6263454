import { escapeHtml } from '@sibyl/plugin'
import { sibylCommand } from '@sibyl/plugin/host'
import { applicationOf, type ClientFacts, clientFacts, keySection, scopeChoice } from './client-facts.ts'
import { pageFrame } from './page-frame.ts'
import type { PageTexts } from './texts/en.ts'

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
  const { oracle, did, access, scopes, language } = facts
  const { texts } = language
  const application = applicationOf(facts)
  const days = signInDays.map(
    count => `<option value="${count}"${count === 30 ? ' selected' : ''}>${escapeHtml(texts.days(count))}</option>`,
  )
  return pageFrame(
    language,
    oracle,
    texts.allow(application),
    `<h1>${escapeHtml(texts.question(application, oracle))}</h1>
${clientFacts(facts)}
<noscript><p role="alert">${escapeHtml(texts.needsScript)}</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-access="${access}" data-texts="${escapeHtml(scriptTexts(texts))}" hidden>
${scopeChoice(texts.itMay, scopes, texts)}
<p><label for="days">${escapeHtml(texts.duration)}</label> <select id="days" name="days">${days.join('')}</select></p>
${keySection(access, texts.withBrowserKey, texts)}
<section aria-labelledby="by-phone">
<h2 id="by-phone">${escapeHtml(texts.byPhone)}</h2>
<p class="quiet">${escapeHtml(texts.byPhoneNote(phoneDays))}</p>
<button type="button" id="phone" class="plain">${escapeHtml(texts.showQr)}</button>
<div id="phone-request" hidden>
<svg id="qr" role="img" aria-label="${escapeHtml(texts.qr)}"></svg>
<p>${escapeHtml(texts.scan)} <a id="phone-link" target="_blank" rel="noopener">${escapeHtml(texts.thisAddress)}</a>. ${escapeHtml(texts.typeNumber)} <strong id="phone-number"></strong></p>
</div>
</section>
<section aria-labelledby="by-code">
<h2 id="by-code">${escapeHtml(texts.byCode)}</h2>
<p class="quiet"><label for="code">${escapeHtml(texts.codeFrom)} <code>${sibylCommand(process.env, 'npx sibyl')} sign-in code</code></label></p>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="30">
<button type="submit" id="allow-code" value="code" class="plain">${escapeHtml(texts.withCode)}</button>
</section>
<p><button type="button" id="deny" class="plain">${escapeHtml(texts.deny)}</button></p>
</form>
<p id="problem" role="alert"></p>
<script type="module" src="../page/page.js"></script>`,
    '..',
  )
}

/** Returns the texts of the script of the pages as JSON. */
export const scriptTexts = ({ script, problems }: PageTexts): string => JSON.stringify({ ...script, problems })
