(* Reads the draws that the Rust side found, and says what the extracted functions make of them:
   each line is `stem::function digest:distance,distance digest:...`, the digests are the Rust side's. *)

let () =
  try
    while true do
      match String.split_on_char ' ' (input_line stdin) with
      | [] -> ()
      | name :: chunks ->
        let one = List.assoc name table in
        let place = ref Z.zero in
        print_string name;
        List.iter (fun chunk ->
          let draws = List.nth (String.split_on_char ':' chunk) 1 in
          let folded = ref Z.zero in
          List.iter (fun distance ->
            place := Z.add !place (Z.of_string distance);
            folded := fold !folded (one (start !place)))
            (String.split_on_char ',' draws);
          print_string (" " ^ Z.to_string !folded)) chunks;
        print_newline ()
    done
  with End_of_file -> ()
