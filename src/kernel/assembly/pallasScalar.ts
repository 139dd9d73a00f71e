export { invertFour } from './fieldInverse';
export function dataEnd(): usize {
  return __heap_base;
}
