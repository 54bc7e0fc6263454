import { escapeHtml } from '@sibyl/plugin'
import { createKeysScope, scopeText } from './scope-text.ts'
import type { PageTexts } from './texts/en.ts'
import type { PageLanguage } from './texts/page-language.ts'

/** Facts of the oracle and of the application that requests access, for each page. */
export interface ClientFacts {
  readonly language: PageLanguage
  /** The name of the oracle. */
  readonly oracle: string
  /** The DID that invocations are addressed to. */
  readonly did: string
  readonly access: 'open' | 'delegated'
  /** The client chose it without proof. */
  readonly clientName: string
  /** The URL of its document, or a random ID. */
  readonly clientId: string
  /** Whether the client is the oracle's own console. */
  readonly isConsole: boolean
  /** Whether it runs on a device, whose code the user typed. */
  readonly isDevice: boolean
  /** Whether it gets the DID of the user. */
  readonly learnsDid: boolean
  /** Where the browser goes afterwards. */
  readonly redirectUri: string
  /** The path of the resource, if the tokens are for a part of the oracle. */
  readonly path: string
}

/** Returns the address of a client that is proven: that of its document, else the one to which its codes are sent. */
export const addressOf = (clientId: string, redirectUri: string): string =>
  clientId.startsWith('https://') ? clientId : redirectUri

/** Returns what a page calls the application: where it is, since its name proves nothing. */
export const applicationOf = ({ clientId, redirectUri, isConsole, isDevice, language }: ClientFacts): string => {
  const { application } = language.texts
  if (isDevice) return application.device
  if (isConsole) return application.console
  const { protocol, host, hostname } = new URL(addressOf(clientId, redirectUri))
  if (protocol === 'https:') return application.at(host)
  return protocol === 'http:' ? application.local(hostname) : application.app(protocol)
}

/** Returns the list of facts about the application. */
export const clientFacts = ({
  language: {
    texts: { facts },
  },
  clientName,
  clientId,
  isConsole,
  isDevice,
  learnsDid,
  redirectUri,
  path,
}: ClientFacts): string => `<dl>
${isConsole ? '' : `<dt>${escapeHtml(facts.callsItself)}</dt><dd><bdi>${escapeHtml(clientName)}</bdi> <span class="quiet">${escapeHtml(facts.notVerified)}</span></dd>`}
${clientId.startsWith('https://') ? `<dt>${escapeHtml(facts.describedAt)}</dt><dd><code>${escapeHtml(clientId)}</code></dd>` : ''}
${isDevice ? '' : `<dt>${escapeHtml(facts.returnsTo)}</dt><dd><code>${escapeHtml(redirectUri)}</code></dd>`}
${learnsDid ? `<dt>${escapeHtml(facts.learns)}</dt><dd>${escapeHtml(facts.yourDid)}</dd>` : ''}
${path === '' ? '' : `<dt>${escapeHtml(facts.onlyAt)}</dt><dd><code>${escapeHtml(path)}</code></dd>`}
</dl>`

/** Returns the scopes as boxes, of which the user can clear each. API keys outlive the sign-in: their box is clear. */
export const scopeChoice = (legend: string, scopes: readonly string[], texts: PageTexts): string => `<fieldset>
<legend>${escapeHtml(legend)}</legend>
<ul>${scopes
  .map(
    scope =>
      `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}"${scope === createKeysScope ? '' : ' checked'}> <span>${escapeHtml(scopeText(scope, texts))} <code>${escapeHtml(scope)}</code></span></label></li>`,
  )
  .join('')}</ul>
</fieldset>`

/** Returns the part of a page in which the key of the browser signs. @param button Its text. */
export const keySection = (
  access: 'open' | 'delegated',
  button: string,
  texts: PageTexts,
): string => `<section aria-labelledby="by-key">
<h2 id="by-key">${escapeHtml(texts.byKey)}</h2>
<p id="identity" class="quiet"></p>
<details id="delegated"${access === 'delegated' ? ' open' : ''}>
<summary>${escapeHtml(texts.delegation)}</summary>
<p class="quiet"><label for="delegation">${escapeHtml(access === 'delegated' ? texts.delegationNeeded : texts.delegationOptional)}</label></p>
<textarea id="delegation" rows="3" spellcheck="false" autocomplete="off"></textarea>
</details>
<button type="submit" id="allow" value="key">${escapeHtml(button)}</button>
</section>`
