import { Center, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../components/qr-code.tsx'

/** Maximum number of bytes that a phone still reads from a screen. */
const mostBytes = 1_800

/** A QR code with the whole credential, or with its id if the credential is too long. */
export const CredentialQr = ({ id, document }: { readonly id: string; readonly document: unknown }) => {
  const { t } = useTranslation('twins')
  const text = JSON.stringify(document)
  const isWhole = new TextEncoder().encode(text).length <= mostBytes
  return (
    <Center>
      <Stack gap="xs" align="center">
        <QrCode
          text={isWhole ? text : id}
          label={t('credentials.qr')}
          size={isWhole ? 'min(28rem, 78vw)' : '14rem'}
          ecc={isWhole ? 'low' : 'medium'}
          border={4}
        />
        <Text size="sm" c="dimmed" maw="28rem" ta="center">
          {t(isWhole ? 'credentials.qrWhole' : 'credentials.qrId')}
        </Text>
      </Stack>
    </Center>
  )
}
