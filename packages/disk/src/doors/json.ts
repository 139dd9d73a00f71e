// JSON that people edit.

export { JsonDocument, JsonDocumentError, type JsonMember } from '../disk/json/jsonDocument.ts';
