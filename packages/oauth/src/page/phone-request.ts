import encodeQr from 'qr'

/** A sign-in that a phone signs. */
export interface PhoneRequest {
  readonly url: string
  readonly number: string
}

/** Width of the quiet zone around the code, in modules. */
const margin = 2

/** Shows the address for the phone: as a QR code, and as a link. */
export const showPhoneRequest = ({ url, number }: PhoneRequest, find: (id: string) => Element): void => {
  const rows = encodeQr(url, 'raw', { border: margin })
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const code = find('qr')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', dark.join(''))
  code.setAttribute('viewBox', `0 0 ${rows.length} ${rows.length}`)
  code.replaceChildren(path)
  ;(find('phone-link') as HTMLAnchorElement).href = url
  find('phone-number').textContent = number
  find('phone-request').removeAttribute('hidden')
}
