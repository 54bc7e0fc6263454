import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core'
import { Check, Copy as CopyIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Copies a text. */
export const CopyButton = ({ value, label }: { readonly value: string; readonly label?: string }) => {
  const { t } = useTranslation()
  const name = label ?? t('action.copy')
  return (
    <Copy value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('action.copied') : name}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? t('action.copied') : name}
          >
            {copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}
