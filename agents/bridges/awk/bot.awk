# Chooses the action whose number it holds most often in its hand; of equal ones the last.
#
# Run with `-W interactive`: mawk would otherwise wait for more input than there is. Other awks ignore it.

index($0, "{\"decision_requested\":") == 1 {
    split("", held)
    hand = after("\"hand\":[")
    sub(/\].*/, "", hand)
    for (n = split(hand, card, ","); n > 0; n--) held[card[n]]++

    count = split(after("\"legal_actions\":["), action, /[{]"kind":/)   # action[1] stands before the first
    choice = 2
    for (i = 2; i <= count; i++)
        if (held[first_number(action[i])] >= held[first_number(action[choice])]) choice = i
    print choice - 2
    fflush()
}

# What follows these words in the line; nothing if they are not in it.
function after(words,    at) {
    at = index($0, words)
    return at ? substr($0, at + length(words)) : ""
}

# The first number of an action that is not 0.
function first_number(text) {
    return match(text, /[1-9][0-9]*/) ? substr(text, RSTART, RLENGTH) : "none"
}
