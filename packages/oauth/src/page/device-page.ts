import { escapeHtml } from '@sibyl/plugin'
import { pageFrame } from './page-frame.ts'
import type { PageLanguage } from './texts/page-language.ts'

/** Returns the page on which a user types the code that a device shows. @param problem What was wrong with the last one. */
export const deviceCodePage = (language: PageLanguage, oracle: string, problem = ''): string => {
  const { device } = language.texts
  return pageFrame(
    language,
    oracle,
    device.title,
    `<h1>${escapeHtml(device.heading)}</h1>
<p class="quiet">${escapeHtml(device.warning)}</p>
<form method="post" action="device?lang=${language.code}">
<p><label for="user_code">${escapeHtml(device.code)}</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></p>
<button type="submit">${escapeHtml(device.next)}</button>
</form>
<p role="alert">${escapeHtml(problem)}</p>`,
  )
}

/** Returns the page after the sign-in of a device. */
export const deviceDonePage = (
  language: PageLanguage,
  oracle: string,
  end: 'allowed' | 'denied' | 'expired',
): string => {
  const { title, text } = language.texts.device[end]
  return pageFrame(language, oracle, title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`, '..')
}
