// Receipts for single outputs of payments: read, written, made and checked.

export { MAX_RECEIPT_LENGTH, parseReceipt, type Receipt, receiptText } from '../zcash/payments/receipt.ts';
export {
  checkReceipt,
  type InvalidReceipt,
  makeReceipts,
  type OutputReceipt,
  type ReceiptCheck,
} from '../zcash/payments/receiptCheck.ts';
