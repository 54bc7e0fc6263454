import { escapeHtml } from '@sibyl/plugin'
import { scopeText } from './scope-text.ts'

/** Facts of the oracle and of the application that requests access, for each page. */
export interface ClientFacts {
  /** The name of the oracle. */
  readonly oracle: string
  /** The DID that invocations are addressed to. */
  readonly did: string
  readonly access: 'open' | 'delegated'
  readonly clientName: string
  /** The client ID, if it is the URL of a document; otherwise the client chose its name without proof. */
  readonly clientUrl: string | undefined
  /** Whether the client is the oracle's own console. */
  readonly isConsole: boolean
  /** Where the browser goes afterwards. */
  readonly redirectUri: string
  /** The path of the resource, if the tokens are for a part of the oracle. */
  readonly path: string
}

/** Returns the list of facts about the application. */
export const clientFacts = ({ clientName, clientUrl, isConsole, redirectUri, path }: ClientFacts): string => `<dl>
<dt>Application</dt><dd>${clientUrl === undefined ? `${escapeHtml(clientName)} <span class="quiet">(${isConsole ? 'part of this oracle' : 'not verified'})</span>` : `<code>${escapeHtml(clientUrl)}</code>`}</dd>
<dt>Returns to</dt><dd><code>${escapeHtml(placeOf(redirectUri))}</code></dd>
${path === '' ? '' : `<dt>Only at</dt><dd><code>${escapeHtml(path)}</code></dd>`}
</dl>`

/** Returns the part of a redirect URI that identifies who receives the response. */
const placeOf = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}

/** Returns the description of a scope. */
export const scopeLabel = (scope: string): string => `${escapeHtml(scopeText(scope))} <code>${escapeHtml(scope)}</code>`

/** Returns the part of a page in which the key of the browser signs. @param button Its text. */
export const keySection = (access: 'open' | 'delegated', button: string): string => `<section aria-labelledby="by-key">
<h2 id="by-key">Sign in with this browser</h2>
<p id="identity" class="quiet"></p>
<details id="delegated"${access === 'delegated' ? ' open' : ''}>
<summary>Delegation</summary>
<p class="quiet"><label for="delegation">${access === 'delegated' ? 'This oracle requires a delegation for the DID above. Paste it here.' : 'Only if this oracle requires one.'}</label></p>
<textarea id="delegation" rows="3" spellcheck="false" autocomplete="off"></textarea>
</details>
<button type="submit" id="allow" value="key">${button}</button>
</section>`
