// The part of the WebAssembly JavaScript interface that the prover uses. The project compiles without the DOM library,
// which is where TypeScript keeps these declarations.

declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }

    class Memory {
      constructor(descriptor: { initial: number; maximum: number; shared: true });
      readonly buffer: SharedArrayBuffer;
    }

    class Instance {
      constructor(module: Module, imports: Record<string, Record<string, unknown>>);
      readonly exports: Record<string, unknown>;
    }

    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

export {};
